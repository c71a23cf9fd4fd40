// The settings: environment variables as typed, checked values; the only reader of process.env.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { isLoopback } from '#lib/loopback';
import { databaseUrlOf, replicaUrlsOf } from './databases.ts';
import { limitsFrom } from './limits.ts';
import type { Limits } from './limits.ts';
import { refuse, refuseUnseen } from './refusals.ts';
import type { Environment } from './refusals.ts';
import { secretHider } from './secrets.ts';
import { backupRecipientsOf, backupToOf, mediaStoreOf } from './stores.ts';
import { tracesOf } from './traces.ts';
import type { TraceSettings } from './traces.ts';
import { trustedProxiesFrom } from './trusted-proxies.ts';
import { witnessedLogsOf, witnessesOf } from './witnesses.ts';
import type { Witness, WitnessedLog } from './witnesses.ts';
import type { MediaLocation } from '#storage';

export type { Witness } from './witnesses.ts';
export { requireDataDir } from './data-dir.ts';
export { readEnvFile } from './env-file.ts';
export type { Limits } from './limits.ts';
export type { TraceSettings } from './traces.ts';

export interface Config {
  readonly host: string;
  /** A second address to listen on, if the machine has it. */
  readonly alsoHost: string | undefined;
  readonly port: number;
  readonly baseUrl: string;
  readonly errorsBaseUrl: string;
  /** Prefix of the addresses of media. */
  readonly mediaBaseUrl: string;
  readonly mediaStore: MediaLocation;
  /** Where scheduled backups are stored; undefined: there are none. */
  readonly backupTo: MediaLocation | undefined;
  /** Public keys of age to which backups are encrypted; none: they are not encrypted. */
  readonly backupRecipients: readonly string[];
  readonly dataDir: string;
  /** The private key that signs the transparency log, in PEM. */
  readonly logKeyFile: string;
  /** The private key with which this service cosigns other logs, in PEM. */
  readonly logWitnessKeyFile: string;
  /** Witnesses that are asked to cosign the transparency log; none: no request is made. */
  readonly witnesses: readonly Witness[];
  /** Whether witnesses may have loopback or private addresses. */
  readonly witnessesMayBePrivate: boolean;
  /** Logs for which this service is a witness. */
  readonly witnessedLogs: readonly WitnessedLog[];
  /** Bytes that uploads leave free on the disk; undefined: 2 GiB, or 5 % of a smaller disk. */
  readonly diskReserve: number | undefined;
  readonly databaseUrl: string | undefined;
  /** Addresses of streaming standbys for public reads. */
  readonly replicaUrls: readonly string[];
  /** Number of processes that serve requests on this host; 1: this process serves itself. */
  readonly processes: number;
  /** The name of this process, such as `web-1`, if a supervisor on this host started it. */
  readonly processName: string | undefined;
  readonly role: 'all' | 'web' | 'worker';
  readonly limits: Limits;
  /** The Redis that shares short-window limits; undefined: each process counts locally. */
  readonly redisUrl: string | undefined;
  /** Addresses and networks (CIDR) whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  readonly registration: 'open' | 'closed';
  readonly deployment: 'production' | 'staging';
  /** The bearer token required for /metrics; undefined: only a local service shows them. */
  readonly metricsToken: string | undefined;
  /** Where spans are sent; undefined: none are recorded. */
  readonly traces: TraceSettings | undefined;
  readonly logLevel: string;
  /** The parent process is only a launcher: this process stops when the launcher ends. */
  readonly bound: boolean;
  /** For tests: an operation that returns a problem it does not declare throws an error. */
  readonly strict: boolean;
}

function oneOf<const V extends readonly string[]>(
  env: Environment,
  name: string,
  values: V,
): V[number] {
  const value = env[name] ?? values[0] ?? '';
  if (!values.includes(value)) throw refuse(name, value, values.join(' or '));
  return value;
}

function portOf(env: Environment): number {
  const text = env['PORT'] ?? '8080';
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw refuse('PORT', text, 'a number from 0 to 65535');
  return port;
}

function urlOf(env: Environment, name: string, fallback: string): string {
  const text = env[name] ?? fallback;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // It is public, and not even an error message may repeat a password.
  if (text.includes('@'))
    throw new Error(`${name} contains an @: set it to an address without one.`);
  const fits = url && /^https?:$/.test(url.protocol) && !/[?#]|\/$/.test(text);
  if (!fits)
    throw refuse(name, text, 'an http or https address without ?, # or a slash at the end');
  // One spelling of scheme and host: it is compared, signed and shown.
  return url.href.replace(/\/$/, '');
}

/** Returns the addresses to listen on. The name localhost, the default, stands for both of its addresses. */
function hostOf(env: Environment): Pick<Config, 'host' | 'alsoHost'> {
  const host = env['HOST'] ?? 'localhost';
  const fits = isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host);
  if (!fits) throw refuse('HOST', host, 'an address or a host name to listen on');
  if (host.toLowerCase() === 'localhost') return { host: '127.0.0.1', alsoHost: '::1' };
  return { host, alsoHost: undefined };
}

/** Returns the host as written in a URL; `0` and `0.0.0.0` become the same. */
function inUrl(host: string): string {
  const shown = host.includes(':') ? `[${host}]` : host;
  return URL.canParse(`http://${shown}`) ? new URL(`http://${shown}`).hostname : shown;
}

const everywhere = ['0.0.0.0', '[::]', '[::ffff:0:0]'];

function baseUrlOf(env: Environment, host: Pick<Config, 'host' | 'alsoHost'>, port: number) {
  const name = host.alsoHost === undefined ? inUrl(host.host) : 'localhost';
  if (env['BASE_URL'] === undefined && everywhere.includes(name)) {
    throw new Error(
      `HOST is ${host.host}, which means every address of this machine: set BASE_URL to the public address, such as https://example.org.`,
    );
  }
  const ownUrl = `http://${name}:${port}`;
  if (env['BASE_URL'] === undefined && !URL.canParse(ownUrl))
    throw refuse('HOST', host.host, 'an address that a URL can contain, or set BASE_URL');
  const url = urlOf(env, 'BASE_URL', ownUrl);
  if (new URL(url).pathname !== '/')
    throw refuse(
      'BASE_URL',
      url,
      'an address without a path, because the service requires an origin of its own',
    );
  return url;
}

/** Each process opens up to 30 connections to the database. */
const processesMax = 32;

function processesOf(env: Environment): number {
  const text = env['PROCESSES'] ?? '1';
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > processesMax)
    throw refuse('PROCESSES', text, `a number from 1 to ${processesMax}`);
  return count;
}

function fileOfLimits(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (cause) {
    throw new Error(
      `LIMITS names ${file}, which is not a readable JSON file: set it to off, default or a JSON file.`,
      {
        cause,
      },
    );
  }
}

function limitsOf(env: Environment, baseUrl: string): Limits {
  const setting = env['LIMITS'] ?? 'default';
  const loopback = isLoopback(new URL(baseUrl).hostname);
  if (setting === 'off' || setting === 'default')
    return limitsFrom({ loopback, off: setting === 'off' });
  return limitsFrom({ loopback, off: false, file: fileOfLimits(setting) });
}

function metricsTokenOf(env: Environment): string | undefined {
  const text = env['METRICS_TOKEN'];
  if (text !== undefined && !/^[\x21-\x7e]{16,512}$/.test(text)) {
    const expected = '16 to 512 printable ASCII characters without spaces';
    throw new Error(`METRICS_TOKEN is malformed: set it to ${expected}.`);
  }
  return text;
}

const byteUnits = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 } as const;

/** Parses a size such as `2GiB`; without a unit it is in bytes. */
function diskReserveOf(env: Environment): number | undefined {
  const text = env['DISK_RESERVE'];
  if (text === undefined) return undefined;
  const [, digits, unit = 'B'] = /^(\d{1,12})(B|KiB|MiB|GiB|TiB)?$/.exec(text) ?? [];
  if (digits === undefined)
    throw refuse('DISK_RESERVE', text, 'a size such as 500MiB or 2GiB; 0 reserves nothing');
  return Number(digits) * byteUnits[unit as keyof typeof byteUnits];
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function redisUrlOf(env: Environment): string | undefined {
  const text = env['REDIS_URL'];
  if (text === undefined || text === '') return undefined;
  // The client would ignore parameters silently.
  const fits = /^rediss?:\/\/[^/?#]+(\/\d*)?$/.test(text);
  if (!fits || !URL.canParse(text) || !isDecodable(text))
    throw refuseUnseen('REDIS_URL', 'redis://user:password@host:port/number');
  return text;
}

/**
 * Returns a function that removes the passwords and keys of the settings from a text before it is written.
 */
export function hiderOfSecrets(): (text: string) => string {
  return secretHider(process.env);
}

/**
 * Reads the settings of docs/running.md from the environment; `over` overrides it.
 * @throws Error with one sentence that names the wrong setting and its allowed values
 */
export function readConfig(over: Environment = {}): Config {
  // An empty variable counts as unset.
  const set = Object.entries({ ...process.env, ...over }).filter(([, value]) => value !== '');
  const env: Environment = Object.fromEntries(set);
  const host = hostOf(env);
  const port = portOf(env);
  const dataDir = path.resolve(env['DATA_DIR'] ?? './data');
  const baseUrl = baseUrlOf(env, host, port);
  return {
    ...host,
    port,
    baseUrl,
    errorsBaseUrl: urlOf(env, 'ERRORS_BASE_URL', `${baseUrl}/errors`),
    mediaBaseUrl: urlOf(env, 'MEDIA_BASE_URL', `${baseUrl}/media`),
    mediaStore: mediaStoreOf(env, dataDir),
    backupTo: backupToOf(env, dataDir),
    backupRecipients: backupRecipientsOf(env),
    dataDir,
    logKeyFile: path.resolve(env['LOG_KEY_FILE'] ?? path.join(dataDir, 'log', 'key.pem')),
    logWitnessKeyFile: path.resolve(
      env['LOG_WITNESS_KEY_FILE'] ?? path.join(dataDir, 'log', 'witness.pem'),
    ),
    witnesses: witnessesOf(env),
    witnessesMayBePrivate: oneOf(env, 'LOG_WITNESS_PRIVATE', ['refuse', 'allow']) === 'allow',
    witnessedLogs: witnessedLogsOf(env),
    diskReserve: diskReserveOf(env),
    databaseUrl: databaseUrlOf(env),
    replicaUrls: replicaUrlsOf(env),
    processes: processesOf(env),
    processName: env['COLOPHON_PROCESS'],
    role: oneOf(env, 'ROLE', ['all', 'web', 'worker']),
    limits: limitsOf(env, baseUrl),
    redisUrl: redisUrlOf(env),
    trustedProxies: trustedProxiesFrom(env['TRUSTED_PROXIES'] ?? ''),
    registration: oneOf(env, 'REGISTRATION', ['open', 'closed']),
    deployment: oneOf(env, 'DEPLOYMENT', ['production', 'staging']),
    metricsToken: metricsTokenOf(env),
    traces: tracesOf(env),
    strict: env['COLOPHON_STRICT'] === '1',
    bound: env['COLOPHON_BOUND'] === '1' || env['npm_lifecycle_event'] === 'start',
    logLevel: oneOf(env, 'LOG_LEVEL', [
      'info',
      'trace',
      'debug',
      'warn',
      'error',
      'fatal',
      'silent',
    ]),
  };
}
