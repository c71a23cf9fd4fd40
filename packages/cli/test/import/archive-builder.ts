// Checksums and a manifest for the files of an export, in the layout that the service writes.
import { createHash } from 'node:crypto';
import type { Entry } from './zip-writer.ts';

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

/** Adds checksums and a manifest to the files of an export. */
export function seal(
  files: readonly Entry[],
  origin: string,
  members: Readonly<Record<string, unknown>> = {},
): readonly Entry[] {
  const list = files.map(({ name, content }) => `${sha256(content)}  ${name}\n`).join('');
  const manifest = {
    format: 'colophon-export',
    version: 1,
    origin,
    exported_at: '2026-11-01T10:00:00.000Z',
    principal: { id: '01J8ZQ4Y7D3M5N6P8R9S0T1V2W', kind: 'human', username: 'ada' },
    counts: {},
    checksums_sha256: sha256(list),
    ...members,
  };
  const own = [
    { name: 'manifest.json', content: JSON.stringify(manifest) },
    { name: 'checksums.txt', content: list, isDeflated: true },
  ];
  return [...own, ...files];
}
