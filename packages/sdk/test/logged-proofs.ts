// Proofs with a member `log`, of a log that is made here.
import { inclusionProof, toBase64 } from '@colophon/tlog';
import canonicalize from 'canonicalize';
import type { Proof } from '@colophon/sdk';
import { hexHash, makeNoteKey, noteOf } from '../../tlog/test/log-folder.ts';
import type { NoteKey } from '../../tlog/test/log-folder.ts';
import { sha256 } from '../../tlog/test/sha256.ts';
import { append, emptyLog, readerOf } from '../../tlog/test/tiled-log.ts';

export const logKey = makeNoteKey('example.org/log', 1);
export const witness = makeNoteKey('witness.example/w1', 4);

export interface LogMember {
  readonly origin: string;
  readonly index: number;
  readonly entry: string;
  readonly salt: string;
  readonly inclusion: string[];
  readonly checkpoint: string;
}

export type LoggedProof = Proof & { readonly log: LogMember };

const salt = Buffer.alloc(32, 7);

/** The leaf of a proof, with changes made before it is logged. */
export function leafOf(proof: Proof, changes: object = {}): Buffer {
  const { signature } = proof;
  const committed = {
    content_hash: proof.content_hash,
    signature: signature?.signature ?? null,
  };
  const leaf = {
    kind: 'publication',
    v: 1,
    at: '2026-05-03T10:00:01.000Z',
    article: proof.article_id,
    revision: proof.revision_id,
    author: proof.author_id,
    owner: null,
    published_at: proof.published_at,
    signed: signature !== null,
    key: signature?.key.id ?? null,
    commitment: hexHash(salt, Buffer.from(canonicalize(committed) ?? '')),
    ...changes,
  };
  return Buffer.from(canonicalize(leaf) ?? '');
}

/** The proof with its place in a log of 300 leaves, signed by the keys at a second since 1970. */
export function putInLog(
  proof: Proof,
  {
    keys = [logKey, witness],
    leaf = leafOf(proof),
    second = 1_780_000_000,
  }: { readonly keys?: readonly NoteKey[]; readonly leaf?: Buffer; readonly second?: number } = {},
): LoggedProof {
  const log = emptyLog();
  const entries = Array.from({ length: 300 }, (_, index) => Buffer.from(`{"n":${index}}`));
  append(
    log,
    entries.map((entry, index) => (index === 270 ? leaf : entry)),
  );
  const inclusion = inclusionProof(sha256, 270, 300, readerOf(log, 300));
  return {
    ...proof,
    log: {
      origin: 'example.org/log',
      index: 270,
      entry: leaf.toString('base64'),
      salt: salt.toString('base64'),
      inclusion: inclusion.map((hash) => toBase64(hash)),
      checkpoint: noteOf(log, keys, { origin: 'example.org/log', second }),
    },
  };
}
