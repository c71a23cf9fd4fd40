// Share images of a test: how one is asked for, and what is kept of it.
import { Buffer } from 'node:buffer';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import type { TestServer } from './harness.ts';

export interface AskedImage {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

export async function askImage(
  server: TestServer,
  id: string,
  asked: RequestInit = {},
): Promise<AskedImage> {
  const response = await fetch(`${server.baseUrl}/og/${id}.png`, asked);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

export interface KeptRow {
  readonly key: string;
  readonly name: string;
  readonly byte_size: number;
  readonly revision_id: string;
}

export function keptImage(server: TestServer, id: string): Promise<KeptRow | undefined> {
  return server.db.first(sql<KeptRow>`
    select key, name, byte_size, revision_id
    from og_images
    where bucket = ${bucketOf(id)} and article_id = ${id}`);
}
