// What tests of imports share: an archive that a service wrote, and a connection that ends.
import assert from 'node:assert/strict';
import { createClient } from '@colophon/sdk';
import type { Client } from '@colophon/sdk';
import type { TestServer } from '../../../server/test/harness.ts';
import { until } from '../../../server/test/throw-away-database.ts';

/** The archive that the service itself writes. */
export async function downloadExport(client: Client): Promise<Uint8Array> {
  const { id } = await client.createExport();
  await until('the export is ready', async () => {
    const { status } = await client.readExport({ id });
    assert.notEqual(status, 'failed');
    return status === 'ready';
  });
  const archived = await client.readExportContent({ id });
  return new Uint8Array(await archived.arrayBuffer());
}

/** A client whose connection ends for good after so many answers. The last answer is lost. */
export function mortal(
  server: Pick<TestServer, 'baseUrl'>,
  token: string,
  answers: number,
): { readonly client: Client; readonly seen: () => number } {
  let count = 0;
  const dying: typeof fetch = async (...request) => {
    if (count >= answers) throw new TypeError('connection lost');
    const response = await fetch(...request);
    count += 1;
    if (count >= answers) throw new TypeError('connection lost');
    return response;
  };
  const retry = { attempts: 1 };
  const client = createClient({ baseUrl: server.baseUrl, token, fetch: dying, retry });
  return { client, seen: () => count };
}
