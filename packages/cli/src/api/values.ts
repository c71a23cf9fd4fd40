// Values of flags: from the words of a command line to the types of the contract.
import { readFile, realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { failure, misuse } from '../failures.ts';
import { reasonOf } from '../file-trouble.ts';
import { isObject, parseJson } from '../json.ts';
import { configFolder } from '../profiles/profiles.ts';
import { readInput } from '../terminal.ts';
import type { Terminal } from '../terminal.ts';
import { typesOf } from './members.ts';
import type { Member } from './members.ts';

const realPath = (path: string) => realpath(path).catch(() => path);

/** The files in the program's own folder are tokens and signing keys: no text, and nothing to send. */
async function refuseSecret({ env, folder }: Terminal, name: string): Promise<void> {
  const [file, secrets] = await Promise.all(
    [resolve(folder, name), resolve(folder, configFolder(env))].map(realPath),
  );
  if (file?.startsWith(`${secrets}${sep}`)) {
    throw misuse(
      `${name} is a file of this program. It may contain a token or a signing key.`,
      'Name another file.',
    );
  }
}

/** Reads a file that the user names. @throws Failure that says which file cannot be read */
export async function readNamed(terminal: Terminal, name: string): Promise<Buffer> {
  await refuseSecret(terminal, name);
  try {
    return await readFile(resolve(terminal.folder, name));
  } catch (error) {
    const isMissing = (error as { readonly code?: string }).code === 'ENOENT';
    const why = isMissing ? 'it does not exist' : reasonOf(error);
    throw failure(`Cannot read ${name}: ${why}.`, 'Check the name of the file.');
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns bytes as text, with a byte order mark if there is one. @throws Failure for bytes that are not UTF-8 */
export function textOf(bytes: Uint8Array, name: string): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw failure(`${name} is not a UTF-8 text.`, 'Convert it to UTF-8 first.');
  }
}

/** Returns the text of a file without a byte order mark. */
export async function textOfFile(terminal: Terminal, name: string): Promise<string> {
  return textOf(await readNamed(terminal, name), name).replace(/^\ufeff/, '');
}

/** Returns the whole standard input as a text. */
export async function textOfInput(terminal: Terminal): Promise<string> {
  return textOf(await readInput(terminal), 'Standard input');
}

/** Returns the text that a word stands for: `-` standard input, `@FILE` a file, `@@` a text that begins with @. */
export async function textFrom(terminal: Terminal, word: string): Promise<string> {
  if (word === '-') return textOfInput(terminal);
  if (word.startsWith('@@')) return word.slice(1);
  if (!word.startsWith('@')) return word;
  return textOfFile(terminal, word.slice(1));
}

function objectFrom(text: string, flag: string): unknown {
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw misuse(`--${flag} is not a JSON object.`, `Write --${flag} '{"name": "value"}'.`);
}

function numberFrom(text: string, flag: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw misuse(`--${flag} must be a whole number, not ${text}.`);
}

/** Returns the value of a member for the word of its flag. @throws Failure for a word of another type */
export async function valueOf(
  terminal: Terminal,
  { flag, schema, isText }: Member,
  word: string | readonly string[],
): Promise<unknown> {
  if (typeof word !== 'string') return word;
  const types = typesOf(schema);
  if (word === 'null' && types.includes('null')) return null;
  if (types.includes('boolean')) return word === 'true';
  if (types.includes('integer')) return numberFrom(word, flag);
  const text = isText ? await textFrom(terminal, word) : word;
  return types.includes('object') ? objectFrom(text, flag) : text;
}
