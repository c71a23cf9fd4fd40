// Collects the cosignatures of the witnesses for a checkpoint, from all of them at once.
import {
  checkNote,
  consistencyProof,
  hashesNeededForConsistency,
  isKeyOf,
  parseNote,
  parseSignatureLines,
} from '@colophon/tlog';
import type { NoteSignature } from '@colophon/tlog';
import type { Config, Witness } from '#config';
import type { Database, Db } from '#database';
import { unseenClass } from '@colophon/text/lib/visible-text';
import { verifySignature } from '#lib/ed25519';
import { sha256 } from '#lib/sha256';
import type { Log } from '#outbox';
import { askWitness } from '#outgoing';
import type { Traces } from '#tracing';
import type { WitnessAnswer } from '#outgoing';
import { timestamp } from '#lib/timestamp';
import { listWitnesses, setWitness } from '../queries/index.ts';
import type { WitnessRow } from '../queries/index.ts';
import { writeRequest } from '../rules/witness-requests.ts';
import type { SignedCheckpoint } from './publish.ts';
import { loadHashes } from './tiles.ts';

/** Publishing waits for witnesses, and promises to take 2 s. */
const timeoutMs = 1_000;
/** After a failure a witness is left alone for this time. */
const restMs = 30_000;

const unseen = new RegExp(String.raw`[\s${unseenClass}]+`, 'gu');

/**
 * Returns why a witness failed, in one line of visible characters. Part of it is text of the witness: PostgreSQL does
 * not store NUL, and a terminal would act on other control characters.
 */
function failureOf(error: Error): string {
  return error.message.toWellFormed().replaceAll(unseen, ' ').trim() || 'It did not answer.';
}

interface Asking {
  readonly db: Database;
  readonly config: Config;
  readonly log: Log;
  readonly traces?: Traces | undefined;
  now(): Date;
}

/** When each witness that failed may be asked again, in ms since 1970. */
export type Pauses = Map<string, number>;

async function ask(
  { db, config, traces }: Pick<Asking, 'db' | 'config' | 'traces'>,
  witness: Witness,
  oldSize: number,
  signed: SignedCheckpoint,
): Promise<WitnessAnswer> {
  const { size } = signed;
  const readHash = await loadHashes(db as Db, size, hashesNeededForConsistency(oldSize, size));
  const proof = consistencyProof(sha256, oldSize, size, readHash);
  const asked = {
    url: `${witness.url}/add-checkpoint`,
    body: writeRequest(oldSize, proof, signed.note),
    timeoutMs,
    allowsPrivate: config.witnessesMayBePrivate,
  };
  return traces === undefined
    ? askWitness(asked)
    : traces.span('witness add-checkpoint', { kind: 'client' }, () => askWitness(asked));
}

/** Returns the size that a witness says it has cosigned last, in an answer 409. */
function knownSize({ status, contentType, text }: WitnessAnswer): number | undefined {
  const digits = /^(0|[1-9]\d{0,15})\n$/.exec(text)?.[1];
  return status === 409 && contentType.startsWith('text/x.tlog.size') && digits !== undefined
    ? Number(digits)
    : undefined;
}

/** Returns the cosignature in an answer. @throws Error that says what the witness did instead */
async function cosignatureOf(
  { status, text }: WitnessAnswer,
  { key }: Witness,
  signed: SignedCheckpoint,
): Promise<NoteSignature> {
  if (status !== 200) throw new Error(`It answered ${status}: ${text.slice(0, 200).trim()}`);
  const line = parseSignatureLines(text)?.find((one) => isKeyOf(key, one));
  const note = { text: signed.text, signatures: line === undefined ? [] : [line] };
  const { verified } = await checkNote(note, [key], verifySignature);
  if (line === undefined || verified.length === 0)
    throw new Error('Its answer has no valid cosignature of its key.');
  return line;
}

/** Asks one witness; a second time if it knows another size than this service thinks. */
async function cosign(
  asking: Asking,
  witness: Witness,
  known: number,
  signed: SignedCheckpoint,
): Promise<NoteSignature> {
  const first = await ask(asking, witness, Math.min(known, signed.size), signed);
  const size = knownSize(first);
  if (size === undefined) return cosignatureOf(first, witness, signed);
  if (size > signed.size)
    throw new Error(
      `It has cosigned a tree of ${size} leaves, and this one has ${signed.size}: the database or DATA_DIR was restored from an older state.`,
    );
  return cosignatureOf(await ask(asking, witness, size, signed), witness, signed);
}

/** Asks one witness and stores what came of it. Returns undefined if there is no cosignature. */
async function attempt(
  asking: Asking,
  witness: Witness,
  rows: readonly WitnessRow[],
  { signed, pauses }: { readonly signed: SignedCheckpoint; readonly pauses: Pauses },
): Promise<NoteSignature | undefined> {
  const { db, log, now } = asking;
  const { name } = witness.key;
  const row = rows.find((one) => one.name === name);
  try {
    const signature = await cosign(asking, witness, row?.size ?? 0, signed);
    pauses.delete(name);
    const cosigned_at = timestamp(now());
    await db.transaction((tx) =>
      setWitness(tx, { name, size: signed.size, cosigned_at, failure: null }),
    );
    return signature;
  } catch (error) {
    pauses.set(name, now().getTime() + restMs);
    const failure = failureOf(error as Error);
    if (row?.failure !== failure)
      log.warn(
        { witness: name, reason: failure },
        'A witness of the transparency log did not cosign.',
      );
    await db.transaction((tx) =>
      setWitness(tx, { name, size: row?.size ?? 0, cosigned_at: null, failure }),
    );
    return undefined;
  }
}

/**
 * Returns cosignatures with those that the published note of the same tree has and that were not made again: a
 * witness that fails now has signed it all the same.
 */
export function withEarlier(
  cosignatures: readonly NoteSignature[],
  published: string | null,
  { text }: Pick<SignedCheckpoint, 'text'>,
  witnesses: readonly Witness[],
): readonly NoteSignature[] {
  const note = parseNote(published ?? '');
  if (note?.text !== text) return cosignatures;
  const isNew = (line: NoteSignature) => !cosignatures.some(({ name }) => name === line.name);
  const earlier = note.signatures.filter(
    (line) => witnesses.some(({ key }) => isKeyOf(key, line)) && isNew(line),
  );
  return [...cosignatures, ...earlier];
}

/** Returns the cosignatures that arrive in time, in the order of the setting. */
export async function collectCosignatures(
  asking: Asking,
  signed: SignedCheckpoint,
  pauses: Pauses,
): Promise<readonly NoteSignature[]> {
  const { config, db, now } = asking;
  const ready = config.witnesses.filter(
    ({ key }) => (pauses.get(key.name) ?? 0) <= now().getTime(),
  );
  if (ready.length === 0) return [];
  const rows = await listWitnesses(db);
  const found = await Promise.all(
    ready.map((witness) => attempt(asking, witness, rows, { signed, pauses })),
  );
  return found.filter((one) => one !== undefined);
}
