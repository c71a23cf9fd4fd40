// The settings: environment variables into typed values, each checked; the only reader of process.env.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { quotaActions } from '@colophon/contract';
import type { QuotaAction } from '@colophon/contract';

export interface Limits {
  readonly off: boolean;
  readonly rates: Readonly<Record<RateName, number>>;
  /** Allowance per action for the trust levels 0 to 3. */
  readonly quotas: Readonly<Record<QuotaAction, readonly number[]>>;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string;
  readonly errorsBaseUrl: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly role: 'all' | 'web' | 'worker';
  readonly limits: Limits;
  readonly registration: 'open' | 'closed';
  readonly deployment: 'production' | 'staging';
  readonly logLevel: string;
  /** For tests: an operation that answers a problem it does not declare fails loudly. */
  readonly strict: boolean;
}

export type RateName =
  | 'reads_per_minute'
  | 'writes_per_minute'
  | 'registrations_per_hour'
  | 'anonymous_reports_per_hour';

const MiB = 1024 * 1024;

const defaultRates: Record<RateName, number> = {
  reads_per_minute: 1200,
  writes_per_minute: 300,
  registrations_per_hour: 20,
  anonymous_reports_per_hour: 20,
};

const defaultQuotas: Record<QuotaAction, readonly number[]> = {
  'articles.create': [50, 200, 1_000, 10_000],
  'articles.publish': [20, 100, 500, 5_000],
  'comments.create': [60, 300, 1_000, 5_000],
  'revisions.create': [120, 600, 2_000, 10_000],
  'edges.create': [60, 300, 1_000, 5_000],
  'follows.create': [200, 1_000, 2_000, 5_000],
  'media.create': [50, 200, 1_000, 5_000],
  'media.bytes': [512 * MiB, 2048 * MiB, 10_240 * MiB, 102_400 * MiB],
  'agents.create': [5, 20, 50, 200],
  'tokens.create': [50, 100, 200, 1_000],
};

type Environment = Readonly<Record<string, string | undefined>>;

function refuse(name: string, value: string, expected: string): Error {
  return new Error(`${name} is ${JSON.stringify(value)}: set it to ${expected}.`);
}

function chosen<const V extends readonly string[]>(
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
  const fits =
    url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !text.endsWith('/');
  if (!fits) throw refuse(name, text, 'an http or https address without a slash at the end');
  return text;
}

function hostOf(env: Environment): string {
  const host = env['HOST'] ?? '127.0.0.1';
  const fits = isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host);
  if (!fits) throw refuse('HOST', host, 'an address or a host name to listen on');
  return host;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function fileOfLimits(file: string): {
  rates?: Record<string, unknown>;
  quotas?: Record<string, unknown>;
} {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof fileOfLimits>;
  } catch (cause) {
    throw new Error(
      `LIMITS names ${file}, which cannot be read as JSON: set it to off, default or a JSON file.`,
      {
        cause,
      },
    );
  }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkShape(file: unknown, name: string): void {
  const parts = isRecord(file) ? Object.entries(file as object) : [['', null]];
  const fits = parts.every(
    ([part, value]) => /^(rates|quotas)$/.test(String(part)) && isRecord(value),
  );
  if (!fits) throw refuse('LIMITS', name, 'a JSON file {"rates": {…}, "quotas": {…}}');
}

function checkRates(rates: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(rates)) {
    if (!(name in defaultRates) || !isAmount(value)) {
      throw refuse(
        `LIMITS rates.${name}`,
        String(value),
        `a whole number; the names are ${Object.keys(defaultRates).join(', ')}`,
      );
    }
  }
}

function checkQuotas(quotas: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(quotas)) {
    const fits = Array.isArray(value) && value.length === 4 && value.every(isAmount);
    if (!(quotaActions as readonly string[]).includes(name) || !fits) {
      throw refuse(
        `LIMITS quotas.${name}`,
        String(value),
        'four whole numbers, one for each trust level, of a known action',
      );
    }
  }
}

function limitsOf(env: Environment, host: string): Limits {
  const setting = env['LIMITS'] ?? 'default';
  const wider = isLoopback(host) ? 10 : 1;
  const rates = Object.fromEntries(
    Object.entries(defaultRates).map(([name, n]) => [name, n * wider]),
  );
  const quotas = Object.fromEntries(
    Object.entries(defaultQuotas).map(([name, levels]) => [name, levels.map((n) => n * wider)]),
  );
  if (setting === 'off' || setting === 'default') {
    return { off: setting === 'off', rates, quotas } as unknown as Limits;
  }
  const file = fileOfLimits(setting);
  checkShape(file, setting);
  checkRates(file.rates ?? {});
  checkQuotas(file.quotas ?? {});
  return {
    off: false,
    rates: { ...rates, ...file.rates },
    quotas: { ...quotas, ...file.quotas },
  } as unknown as Limits;
}

function databaseUrlOf(env: Environment): string | undefined {
  const text = env['DATABASE_URL'];
  if (text === undefined || text === '') return undefined;
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw refuse(
      'DATABASE_URL',
      text.replace(/:[^:@/]*@/, ':…@'),
      'postgres://user:password@host:port/database',
    );
  }
  return text;
}

/**
 * Reads the settings of COMPLETION section 15.
 * @throws Error with one sentence that names the wrong setting and what it takes
 */
export function readConfig(over: Environment = {}): Config {
  // A variable that is set to nothing is as one that is not set.
  const set = Object.entries({ ...process.env, ...over }).filter(([, value]) => value !== '');
  const env: Environment = Object.fromEntries(set);
  const host = hostOf(env);
  const port = portOf(env);
  const shown = host.includes(':') ? `[${host}]` : host;
  const baseUrl = urlOf(env, 'BASE_URL', `http://${shown}:${port}`);
  return {
    host,
    port,
    baseUrl,
    errorsBaseUrl: urlOf(env, 'ERRORS_BASE_URL', `${baseUrl}/errors`),
    dataDir: path.resolve(env['DATA_DIR'] ?? './data'),
    databaseUrl: databaseUrlOf(env),
    role: chosen(env, 'ROLE', ['all', 'web', 'worker']),
    limits: limitsOf(env, host),
    registration: chosen(env, 'REGISTRATION', ['open', 'closed']),
    deployment: chosen(env, 'DEPLOYMENT', ['production', 'staging']),
    strict: env['COLOPHON_STRICT'] === '1',
    logLevel: chosen(env, 'LOG_LEVEL', [
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
