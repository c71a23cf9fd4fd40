// Signed notes: a text and the lines of its signatures (C2SP signed-note).
import { bytes32, concat, fromBase64, read32, toBase64 } from './encoding.ts';

/** A signature line. The key is named by its name and its id together. */
export interface NoteSignature {
  readonly name: string;
  /** Below 2^32. */
  readonly keyId: number;
  /** The bytes after the key id. */
  readonly signature: Uint8Array;
}

export interface Note {
  /** With its last line feed: what is signed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** More than any log has witnesses, and the longest signatures of the specification fit in. */
const maxSignatures = 100;
const maxLength = 1_000_000;

const controls = /[\0-\t\v-\x1f]/;
const loneSurrogate = /\p{Surrogate}/u;

/** Whether a text can be the name of a key: not empty, without white space and plus signs. */
export function isKeyName(name: string): boolean {
  return name !== '' && !/[\p{White_Space}\p{Surrogate}+]/u.test(name) && !controls.test(name);
}

function isNoteText(text: string): boolean {
  return text.endsWith('\n') && !controls.test(text) && !loneSurrogate.test(text);
}

function parseSignatureLine(line: string): NoteSignature | undefined {
  const [dash, name, base64, ...more] = line.split(' ');
  if (dash !== '—' || name === undefined || base64 === undefined || more.length > 0)
    return undefined;
  const bytes = fromBase64(base64);
  if (!isKeyName(name) || bytes === undefined || bytes.length < 5) return undefined;
  return { name, keyId: read32(bytes), signature: bytes.subarray(4) };
}

/** Reads lines of signatures, each with its line feed; returns undefined if one of them is malformed. */
export function parseSignatureLines(lines: string): readonly NoteSignature[] | undefined {
  if (!lines.endsWith('\n') || lines.length > maxLength) return undefined;
  const signatures: NoteSignature[] = [];
  for (const line of lines.slice(0, -1).split('\n')) {
    const signature = parseSignatureLine(line);
    if (signature === undefined || signatures.length === maxSignatures) return undefined;
    signatures.push(signature);
  }
  return signatures;
}

/** Writes a signature as a line with its line feed. @throws TypeError for a name that no key can have */
export function writeSignatureLine({ name, keyId, signature }: NoteSignature): string {
  if (!isKeyName(name)) throw new TypeError('The name of a key has no white space and no plus.');
  return `— ${name} ${toBase64(concat(bytes32(keyId), signature))}\n`;
}

/** Reads a note; returns undefined for a malformed one. No signature is verified here. */
export function parseNote(note: string): Note | undefined {
  if (note.length > maxLength || !isNoteText(note)) return undefined;
  const blank = note.lastIndexOf('\n\n');
  if (blank <= 0) return undefined;
  const signatures = parseSignatureLines(note.slice(blank + 2));
  return signatures === undefined ? undefined : { text: note.slice(0, blank + 1), signatures };
}

/** Writes a note. @throws TypeError for a text that no note can have */
export function writeNote(text: string, signatures: readonly NoteSignature[]): string {
  if (!isNoteText(text)) throw new TypeError('The text of a note is lines without controls.');
  return `${text}\n${signatures.map(writeSignatureLine).join('')}`;
}
