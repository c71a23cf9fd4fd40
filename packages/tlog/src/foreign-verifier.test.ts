// Checkpoints and proofs of this package, verified by the code of Sigstore that is a part of npm.
import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { bytes32 } from './encoding.ts';
import { makeNoteKey, noteOf } from '../test/log-folder.ts';
import type { NoteKey } from '../test/log-folder.ts';
import { sha256 } from '../test/sha256.ts';
import { append, emptyLog, readerOf } from '../test/tiled-log.ts';
import { inclusionProof } from './index.ts';

interface ForeignEntry {
  readonly canonicalizedBody: Buffer;
  readonly inclusionProof: {
    readonly logIndex: string;
    readonly hashes: readonly Buffer[];
    readonly checkpoint: { readonly envelope: string };
  };
}

interface ForeignLog {
  readonly logID: Buffer;
  readonly baseURL: string;
  readonly publicKey: ReturnType<typeof createPublicKey>;
}

interface Checkpoint {
  readonly logSize: bigint;
}

type VerifyCheckpoint = (entry: ForeignEntry, logs: readonly ForeignLog[]) => Checkpoint;
type VerifyInclusion = (entry: ForeignEntry, checkpoint: Checkpoint) => void;

/** The folder of an installed npm: of the one that runs this, else of the first on the path. */
function folderOfNpm(): string | undefined {
  const { npm_execpath: running, PATH = '' } = process.env;
  const found = [running, ...PATH.split(delimiter).map((folder) => join(folder, 'npm'))].find(
    (file) => file !== undefined && existsSync(file),
  );
  return found === undefined ? undefined : dirname(dirname(realpathSync(found)));
}

/** Where npm keeps Sigstore's verifier; undefined where it has none. */
function folderOfVerifier(): string | undefined {
  const folder = join(folderOfNpm() ?? '', 'node_modules/@sigstore/verify/dist/tlog');
  return existsSync(join(folder, 'merkle.js')) ? folder : undefined;
}

const folder = folderOfVerifier();
const skip = folder === undefined && 'the npm of this machine has no Sigstore';

function load(): {
  readonly verifyCheckpoint: VerifyCheckpoint;
  readonly verifyMerkleInclusion: VerifyInclusion;
} {
  const require = createRequire(import.meta.url);
  return {
    ...(require(join(folder ?? '', 'checkpoint.js')) as { verifyCheckpoint: VerifyCheckpoint }),
    ...(require(join(folder ?? '', 'merkle.js')) as { verifyMerkleInclusion: VerifyInclusion }),
  };
}

const key = makeNoteKey('log.example/log', 1);
const foreign = ({ key: { name, keyId }, privateKey }: NoteKey): ForeignLog => ({
  logID: Buffer.from(bytes32(keyId)),
  baseURL: `https://${name}`,
  publicKey: createPublicKey(privateKey),
});

const log = emptyLog();
const sizes = [1, 2, 3, 7, 255, 256, 257, 600];
for (const size of sizes) {
  const first = log.entries.length;
  append(
    log,
    Array.from({ length: size - first }, (_, at) => Buffer.from(`entry ${first + at}`)),
  );
}

function entryAt(index: number, size: number): ForeignEntry {
  const hashes = inclusionProof(sha256, index, size, readerOf(log, size));
  return {
    canonicalizedBody: Buffer.from(log.entries[index] ?? []),
    inclusionProof: {
      logIndex: String(index),
      hashes: hashes.map((hash) => Buffer.from(hash)),
      checkpoint: {
        envelope: noteOf(log, [makeNoteKey('w.example/w', 4), key], { size, origin: key.key.name }),
      },
    },
  };
}

test('every proof at the borders of tiles verifies', { skip }, () => {
  const { verifyCheckpoint, verifyMerkleInclusion } = load();
  for (const size of sizes)
    for (const index of new Set([0, 1, size >> 1, 254, 255, 256, size - 1])) {
      if (index >= size) continue;
      const entry = entryAt(index, size);
      const checkpoint = verifyCheckpoint(entry, [foreign(key)]);
      assert.equal(checkpoint.logSize, BigInt(size));
      verifyMerkleInclusion(entry, checkpoint);
    }
});

test('another leaf, and another key of the same name, do not', { skip }, () => {
  const { verifyCheckpoint, verifyMerkleInclusion } = load();
  const entry = entryAt(300, 600);
  const checkpoint = verifyCheckpoint(entry, [foreign(key)]);
  const changed = { ...entry, canonicalizedBody: Buffer.from('entry 301') };
  assert.throws(() => verifyMerkleInclusion(changed, checkpoint), /does not match/);
  const other = foreign(makeNoteKey('log.example/log', 1));
  assert.throws(() => verifyCheckpoint(entry, [other]), /invalid checkpoint signature/);
});
