// The settings of the transparency log: its witnesses, and the logs for which this service is one.
import { parseVerifierKey } from '@colophon/tlog';
import type { VerifierKey } from '@colophon/tlog';
import { sha256 } from '#lib/sha256';
import { refuse, refuseUnseen } from './refusals.ts';
import type { Environment } from './refusals.ts';

/** A witness that is asked for cosignatures. */
export interface Witness {
  readonly key: VerifierKey;
  /** The key as it was given. */
  readonly verifierKey: string;
  /** The submission prefix, without a slash at the end. */
  readonly url: string;
}

/** A log whose checkpoints are cosigned. Its key has the name of its origin. */
export interface WitnessedLog {
  readonly key: VerifierKey;
}

function entriesOf(text: string): readonly string[] {
  return text.split(',').flatMap((one) => one.trim() || []);
}

/** Returns an address to which a path can be added; undefined for anything else. */
function prefixOf(address: string): string | undefined {
  if (!/^https?:\/\/[^\s?#@]+$/.test(address) || !URL.canParse(address)) return undefined;
  return new URL(address).href.replace(/\/$/, '');
}

function witnessOf(entry: string): Witness | undefined {
  const [verifierKey = '', address = '', ...rest] = entry.split(/\s+/);
  const [key, url] = [parseVerifierKey(sha256, verifierKey), prefixOf(address)];
  if (key?.algorithm !== 4 || url === undefined || rest.length > 0) return undefined;
  return { key, verifierKey, url };
}

/**
 * The witnesses of this log; none by default: then the service makes no request.
 * @throws Error with one sentence for a wrong LOG_WITNESSES
 */
export function witnessesOf(env: Environment): readonly Witness[] {
  const witnesses = entriesOf(env['LOG_WITNESSES'] ?? '').map((entry) => {
    const witness = witnessOf(entry);
    if (witness !== undefined) return witness;
    // The address may contain a password.
    throw refuseUnseen(
      'LOG_WITNESSES',
      'the key of a witness (name+id+key, of type 4), a space and its address, with a comma before the next witness',
    );
  });
  const names = witnesses.map(({ key }) => key.name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw refuse('LOG_WITNESSES', twice, 'each witness once');
  return witnesses;
}

/**
 * The logs for which this service is a witness; none by default.
 * @throws Error with one sentence for a wrong LOG_WITNESS_FOR
 */
export function witnessedLogsOf(env: Environment): readonly WitnessedLog[] {
  return entriesOf(env['LOG_WITNESS_FOR'] ?? '').map((entry) => {
    const key = parseVerifierKey(sha256, entry);
    if (key?.algorithm === 1) return { key };
    // Somebody may have put the private key of a log there.
    throw refuseUnseen(
      'LOG_WITNESS_FOR',
      'the verifier keys of the logs (origin+id+key, of type 1), with commas between them',
    );
  });
}
