// Which key of a log is trusted: one that was named, the remembered one, or at the first time the service's own.
import type { Client, TrustedLog } from '@colophon/sdk';
import { parseVerifierKey } from '@colophon/tlog';
import type { Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { failure, misuse } from '../failures.ts';
import { isObject } from '../json.ts';
import { openLogMemory } from './memory.ts';
import type { LogMemory, RememberedLog } from './memory.ts';
import { sha256 } from './sha256.ts';

/** Options of all commands on the log. */
export interface TrustWords {
  readonly key?: string | undefined;
  readonly witness?: readonly string[] | undefined;
  readonly quorum?: number | undefined;
}

/** The log of a service, and what is trusted of it. */
export interface FoundLog {
  /** The address of the service. */
  readonly service: string;
  /** The address of the files. */
  readonly url: string;
  readonly origin: string;
  readonly trusted: TrustedLog;
  /** Where the key comes from. */
  readonly from: 'option' | 'memory' | 'service';
  /** The key that the service names now, which may be a newer one. */
  readonly offered: string | undefined;
  readonly remembered: RememberedLog | undefined;
  readonly memory: LogMemory;
}

/** The name of the key that the service names; undefined if it has no log. */
async function offeredKey(client: Client): Promise<string | undefined> {
  // An older service has no such member.
  const { log } = (await client.readMeta()) as { readonly log?: unknown };
  const key = isObject(log) ? log['verifier_key'] : undefined;
  return typeof key === 'string' ? key : undefined;
}

function nameOf(key: string, next: string): string {
  const parsed = parseVerifierKey(sha256, key);
  if (parsed?.algorithm === 1) return parsed.name;
  throw misuse('This is not the key of a log.', next);
}

function witnessesOf({ witness = [], quorum }: TrustWords): Omit<TrustedLog, 'verifierKey'> {
  const bad = witness.find((key) => parseVerifierKey(sha256, key)?.algorithm !== 4);
  if (bad !== undefined)
    throw misuse(`"${bad}" is not the key of a witness.`, 'A key is NAME+ID+BASE64.');
  if (quorum === undefined) return { witnesses: witness };
  if (quorum <= witness.length) return { witnesses: witness, quorum };
  throw misuse('The quorum is larger than the number of witnesses.', 'Name more with --witness.');
}

/** Finds the log of a service; undefined for a service without one. @throws Failure for a malformed key */
export async function findLogIfAny(
  context: Context,
  client: Client,
  { service, words }: { readonly service: string; readonly words: TrustWords },
): Promise<FoundLog | undefined> {
  const memory = openLogMemory(context.terminal.env, service);
  const remembered = await memory.read();
  const offered = await offeredKey(client);
  const key = words.key ?? remembered?.verifier_key ?? offered;
  if (key === undefined) return undefined;
  return {
    service,
    url: `${service.replace(/\/+$/, '')}/log`,
    origin: nameOf(key, 'A key is NAME+ID+BASE64; `log.verifier_key` of GET /v1/meta shows it.'),
    trusted: { verifierKey: key, ...witnessesOf(words) },
    from: words.key === undefined ? (remembered === undefined ? 'service' : 'memory') : 'option',
    offered,
    remembered,
    memory,
  };
}

/** Finds the log of a service. @throws Failure for a service without a log, and for a malformed key */
export async function findLog(
  context: Context,
  client: Client,
  asked: { readonly service: string; readonly words: TrustWords },
): Promise<FoundLog> {
  const found = await findLogIfAny(context, client, asked);
  if (found !== undefined) return found;
  throw failure(`${asked.service} has no transparency log.`, 'Ask its operator.', exits.no);
}
