// What a call names must be what the tool takes. Values are checked by the service, whose problems say what to send.
import { refuse } from './tools/refusal.ts';
import type { ObjectSchema } from './tools/tool.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Refuses unknown and missing arguments, and a malformed key for a repetition. */
export function checkArguments({ properties, required = [] }: ObjectSchema, args: Arguments): void {
  const known = Object.keys(properties).join(', ') || 'none';
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length > 0)
    refuse(
      `There is no argument ${unknown.map((name) => JSON.stringify(name)).join(', ')}. Arguments: ${known}.`,
    );
  const missing = required.filter((name) => args[name] === undefined);
  if (missing.length > 0) refuse(`Missing: ${missing.join(', ')}. Arguments: ${known}.`);
}

/** Returns the Idempotency-Key of a call: the one that it names, else a new one. */
export function keyOf({ idempotency_key: key }: Arguments): string {
  if (key === undefined) return crypto.randomUUID();
  if (typeof key === 'string' && /^[\x21-\x7e]{8,200}$/.test(key)) return key;
  return refuse('idempotency_key must be the key that the error of the first call named.');
}
