// The door of the transparency log's algorithms: trees, proofs, tiles, signed notes and checkpoints. Pure.
export { emptyRoot, equalBytes, hashLength, leafHash, nodeHash } from './hashing.ts';
export type { Sha256 } from './hashing.ts';
export {
  entriesPath,
  maxEntryLength,
  newTiles,
  packEntries,
  parseTilePath,
  tilePath,
  tileHeight,
  tilesOf,
  tileWidth,
  tileWidthAt,
  unpackEntries,
} from './tiles.ts';
export type { Tile, TilePath } from './tiles.ts';
export {
  consistencyProof,
  fullTileHash,
  hashesNeededForConsistency,
  hashesNeededForInclusion,
  hashesNeededForRoot,
  inclusionProof,
  readFromTiles,
  readGrown,
  rootOf,
  tileBytes,
} from './tree.ts';
export type { HashReader } from './tree.ts';
export { createFrontier } from './frontier.ts';
export type { Frontier } from './frontier.ts';
export { verifyConsistency, verifyInclusion } from './verify.ts';
export type { Consistency, Inclusion } from './verify.ts';
export { fromBase64, toBase64 } from './encoding.ts';
export { parseNote, parseSignatureLines, writeNote, writeSignatureLine } from './note.ts';
export type { Note, NoteSignature } from './note.ts';
export {
  checkNote,
  cosignatureMessage,
  isKeyOf,
  noteKeyId,
  parseVerifierKey,
  verifierKeyOf,
  writeCosignature,
  writeVerifierKey,
} from './keys.ts';
export type { NoteAlgorithm, NoteCheck, Verified, VerifierKey, VerifySignature } from './keys.ts';
export { parseCheckpoint, writeCheckpoint } from './checkpoint.ts';
export type { Checkpoint } from './checkpoint.ts';
