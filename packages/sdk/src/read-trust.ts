// Reads the trust that a caller gives a verifier: completely, or not at all.
import { readTrustedLog } from './log-trust.ts';
import type { LogKeys } from './log-trust.ts';
import { isKeyRecord, isTime } from './proof-shape.ts';
import type { KeyRecord } from './proof-shape.ts';
import type { TrustEcho } from './trusted.ts';

/** A trust that was read. */
export interface Readable {
  readonly echo: TrustEcho;
  readonly addresses: readonly string[];
  readonly publicKeys: readonly string[];
  readonly authorId: string | undefined;
  readonly history: readonly KeyRecord[] | undefined;
  readonly log: LogKeys | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the URL without its trailing slash, as given and normalised. */
function addressesOf(baseUrl: string): readonly string[] {
  if (!URL.canParse(baseUrl)) return [];
  const { origin, pathname, protocol } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol)) return [];
  return [baseUrl, origin + pathname].map((address) => address.replace(/(?<!\/)\/+$/, ''));
}

function publicKeysOf({ publicKeys }: Members): readonly string[] | undefined {
  if (!Array.isArray(publicKeys)) return undefined;
  const keys = publicKeys.map((one: unknown) =>
    typeof one === 'string'
      ? one.replaceAll('+', '-').replaceAll('/', '_').replace(/=$/, '')
      : undefined,
  );
  return keys.every((one) => one !== undefined && /^[\w-]{43}$/.test(one))
    ? (keys as readonly string[])
    : undefined;
}

function historyOf({ keys }: Members): readonly KeyRecord[] | undefined {
  return Array.isArray(keys) && keys.every(isKeyRecord) ? keys : undefined;
}

interface Bounds {
  readonly authorId: string | undefined;
  readonly seenAt: string | undefined;
  readonly log: LogKeys | undefined;
}

function boundsOf({ authorId, seenAt, log: named }: Members): Bounds | undefined {
  if (authorId !== undefined && typeof authorId !== 'string') return undefined;
  if (seenAt !== undefined && !isTime(seenAt)) return undefined;
  const log = named === undefined ? undefined : readTrustedLog(named);
  return named !== undefined && log === undefined ? undefined : { authorId, seenAt, log };
}

/** Accepts exactly one of the two forms. */
function keysOf(trusted: Members): Pick<Readable, 'publicKeys' | 'history'> | undefined {
  if ((trusted['publicKeys'] === undefined) === (trusted['keys'] === undefined)) return undefined;
  const publicKeys = publicKeysOf(trusted);
  const history = historyOf(trusted);
  if (publicKeys === undefined && history === undefined) return undefined;
  return { publicKeys: publicKeys ?? [], history };
}

const trustMembers: ReadonlySet<string> = new Set([
  'baseUrl',
  'publicKeys',
  'keys',
  'authorId',
  'seenAt',
  'log',
]);

/** Returns undefined for a trust that cannot be read completely: a partial trust is not used. */
export function readTrust(value: unknown): Readable | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Object.keys(value).every((name) => trustMembers.has(name))) return undefined;
  const { baseUrl } = value as Members;
  const [keys, bounds] = [keysOf(value as Members), boundsOf(value as Members)];
  const addresses = typeof baseUrl === 'string' ? addressesOf(baseUrl) : [];
  const [base_url] = addresses;
  if (keys === undefined || bounds === undefined || base_url === undefined) return undefined;
  const form = keys.history === undefined ? 'public-keys' : 'key-history';
  return {
    ...keys,
    addresses,
    authorId: bounds.authorId,
    log: bounds.log,
    echo: { base_url, keys: form, seen_at: bounds.seenAt ?? null },
  };
}
