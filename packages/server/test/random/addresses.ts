// The addresses of the sitemap, as a crawler finds them.
import assert from 'node:assert/strict';
import type { TestServer } from '../harness.ts';

async function locations(address: string): Promise<readonly string[]> {
  const answer = await fetch(address);
  assert.equal(answer.status, 200, address);
  return [...(await answer.text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url ?? '');
}

/** Every address in every file. */
export async function addressesIn({ baseUrl }: Pick<TestServer, 'baseUrl'>) {
  const files = await locations(`${baseUrl}/sitemap.xml`);
  return (await Promise.all(files.map(locations))).flat();
}
