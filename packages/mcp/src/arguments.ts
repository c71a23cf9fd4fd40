// What a call names must be what the tool takes. The service checks the values that it receives, and its problems
// say what to send; values that only the tool host reads are checked here.
import { refuse } from './tools/refusal.ts';
import type { Tool } from './tools/tool.ts';
import type { Schema } from './untrusted.ts';

type Arguments = Readonly<Record<string, unknown>>;

const again = 'Nothing was done: call again.';

interface Kind {
  readonly words: string;
  readonly includes: (value: unknown) => boolean;
}

const kinds: ReadonlyMap<unknown, Kind> = new Map([
  [
    'boolean',
    { words: 'true or false, without quotes', includes: (value) => typeof value === 'boolean' },
  ],
  ['integer', { words: 'a whole number, without quotes', includes: Number.isSafeInteger }],
  ['string', { words: 'a string', includes: (value) => typeof value === 'string' }],
] as const);

/** Returns what to send, if the value is not what the schema says. */
function wantedBy({ type, minimum, enum: words }: Schema, value: unknown): string | undefined {
  if (words !== undefined && !words.includes(value))
    return words.map((word) => JSON.stringify(word)).join(' or ');
  const kind = kinds.get(type);
  if (kind?.includes(value) === false) return kind.words;
  return typeof minimum === 'number' && (value as number) < minimum
    ? `at least ${minimum}`
    : undefined;
}

function checkOwn(own: Readonly<Record<string, Schema>>, args: Arguments): void {
  for (const [name, schema] of Object.entries(own)) {
    const wanted = args[name] === undefined ? undefined : wantedBy(schema, args[name]);
    if (wanted !== undefined) refuse(`${name} must be ${wanted}. ${again}`);
  }
}

/** Whether a value can be a part of a path: dots lead elsewhere, and half a character has no bytes. */
const isPart = (value: unknown) =>
  typeof value === 'string' && !/^\.{0,2}$|\p{Surrogate}/u.test(value);
const isSimple = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** Checks what becomes part of an address. Tools of several operations take null for what may be left out. */
function checkUrl({ input, inUrl: { path = [], query = [] } = {} }: Tool, args: Arguments): void {
  const isRequired = (name: string) => input.required?.includes(name) === true;
  const isLeft = (name: string) => !isRequired(name) && (args[name] ?? undefined) === undefined;
  const wrong = path.find((name) => !isLeft(name) && !isPart(args[name]));
  if (wrong !== undefined)
    refuse(`${wrong} must be an id or a name: a string that is not empty. ${again}`);
  const other = query.find((name) => args[name] !== undefined && !isSimple(args[name]));
  if (other === undefined) return;
  const orLeft = isRequired(other) ? '' : '; or leave it out';
  refuse(`${other} must be a string, a number or a boolean${orLeft}. ${again}`);
}

/** Refuses unknown and missing arguments, and values of the tool host’s own arguments that do not fit. */
export function checkArguments(tool: Tool, args: Arguments): void {
  const { input, own = {} } = tool;
  const { properties, required = [] } = input;
  const known = Object.keys(properties).join(', ') || 'none';
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length > 0)
    refuse(
      `There is no argument ${unknown.map((name) => JSON.stringify(name)).join(', ')}. Arguments: ${known}.`,
    );
  const missing = required.filter((name) => args[name] === undefined);
  if (missing.length > 0) refuse(`Missing: ${missing.join(', ')}. Arguments: ${known}.`);
  checkOwn(own, args);
  checkUrl(tool, args);
}

/** Returns the Idempotency-Key of a call: the one that it names, else a new one. */
export function keyOf({ idempotency_key: key }: Arguments): string {
  if (key === undefined) return crypto.randomUUID();
  if (typeof key === 'string' && /^[\x21-\x7e]{8,200}$/.test(key)) return key;
  return refuse('idempotency_key must be the key that the error of the first call named.');
}
