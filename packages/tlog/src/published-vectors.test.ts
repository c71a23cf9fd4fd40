// Trees and proofs against the published test vectors of RFC 6962 in github.com/transparency-dev/merkle.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sha256 } from '../test/sha256.ts';
import { append, emptyLog, rootOfLog } from '../test/tiled-log.ts';
import { emptyRoot, leafHash, nodeHash, verifyConsistency, verifyInclusion } from './index.ts';

interface Vector {
  readonly file: string;
  readonly proof: readonly string[] | null;
  readonly wantErr: boolean;
}

interface InclusionVector extends Vector {
  readonly leafIdx: number;
  readonly treeSize: number;
  readonly root: string | null;
  readonly leafHash: string | null;
}

interface ConsistencyVector extends Vector {
  readonly size1: number;
  readonly size2: number;
  readonly root1: string | null;
  readonly root2: string | null;
}

const bytes = (base64: string | null) => Buffer.from(base64 ?? '', 'base64');
const hex = (text: string) => Buffer.from(text, 'hex');

function vectors<T extends Vector>(kind: string): readonly T[] {
  const file = new URL(`../test/vectors/${kind}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as readonly T[];
}

test('every published proof of inclusion verifies or is refused, as published', () => {
  const all = vectors<InclusionVector>('inclusion');
  assert.equal(all.length, 98);
  for (const { leafIdx: index, treeSize: size, ...vector } of all) {
    const verified = verifyInclusion(sha256, {
      index,
      size,
      leaf: bytes(vector.leafHash),
      root: bytes(vector.root),
      proof: (vector.proof ?? []).map(bytes),
    });
    assert.equal(verified, !vector.wantErr, vector.file);
  }
});

test('every published proof of consistency verifies or is refused, as published', () => {
  const all = vectors<ConsistencyVector>('consistency');
  assert.equal(all.length, 98);
  for (const { size1: oldSize, size2: newSize, ...vector } of all) {
    const verified = verifyConsistency(sha256, {
      oldSize,
      newSize,
      oldRoot: bytes(vector.root1),
      newRoot: bytes(vector.root2),
      proof: (vector.proof ?? []).map(bytes),
    });
    assert.equal(verified, !vector.wantErr, vector.file);
  }
});

/** The eight leaves of Certificate Transparency's tests, and the roots of the trees of 0 to 8 of them. */
const leaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map(hex);
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
].map(hex);

test('the roots of the published trees of 0 to 8 leaves', () => {
  const log = emptyLog();
  assert.deepEqual(Buffer.from(emptyRoot(sha256)), roots[0]);
  assert.deepEqual(Buffer.from(rootOfLog(log)), roots[0]);
  for (const [index, leaf] of leaves.entries()) {
    append(log, [leaf]);
    assert.deepEqual(Buffer.from(rootOfLog(log)), roots[index + 1]);
  }
});

test('the hashes of a leaf and a node of Certificate Transparency', () => {
  // github.com/transparency-dev/merkle, rfc6962/rfc6962_test.go
  const leaf = leafHash(sha256, Buffer.from('L123456'));
  const node = nodeHash(sha256, Buffer.from('N123'), Buffer.from('N456'));
  assert.equal(
    Buffer.from(leaf).toString('hex'),
    '395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56',
  );
  assert.equal(
    Buffer.from(node).toString('hex'),
    'aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb',
  );
});
