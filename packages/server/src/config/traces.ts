// The settings of traces: the variables that OpenTelemetry names, as far as they have a meaning here.
import { refuse, refuseUnseen } from './refusals.ts';
import type { Environment } from './refusals.ts';

const samplers = [
  'parentbased_always_on',
  'parentbased_traceidratio',
  'parentbased_always_off',
  'always_on',
  'traceidratio',
  'always_off',
] as const;

/** Where spans are sent, and which. */
export interface TraceSettings {
  /** The address that spans are posted to. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: 'none' | 'gzip';
  /** How long one request to the collector may take, in ms. */
  readonly timeoutMs: number;
  /** What all spans say of this service: `service.name` and other attributes. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: (typeof samplers)[number];
  /** The share of traces that are recorded by the samplers of this name, 0 to 1. */
  readonly ratio: number;
  /** Spans beyond it are dropped. */
  readonly queueMax: number;
  readonly batchMax: number;
  /** Pause between two requests to the collector, in ms. */
  readonly pauseMs: number;
}

const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const tracesEndpoint = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';

/** A setting for traces goes before the one for all signals. */
function otlp(env: Environment, name: string): string | undefined {
  return env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] ?? env[`OTEL_EXPORTER_OTLP_${name}`];
}

/** Returns the address; the general one gets the path of traces (OTLP, section 3 of the exporter's settings). */
function urlOf(env: Environment): string | undefined {
  const own = env[tracesEndpoint];
  const text = own ?? env[endpoint];
  if (text === undefined) return undefined;
  const name = own === undefined ? endpoint : tracesEndpoint;
  const fits = /^https?:\/\/[^\s?#@]+$/.test(text) && URL.canParse(text);
  // It may contain a password where none is expected.
  if (!fits) throw refuseUnseen(name, 'an http or https address without a user, ? or #');
  return own === undefined ? `${text.replace(/\/$/, '')}/v1/traces` : text;
}

/** Parses `key=value,key=value`, with values percent-encoded (W3C Baggage). */
function pairsOf(env: Environment, name: string): Record<string, string> {
  const text = env[name];
  if (text === undefined) return {};
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  const parsed = pairs.map((pair) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair));
  try {
    return Object.fromEntries<string>(
      parsed.map((found) => {
        if (found === null) throw new URIError(name);
        return [String(found[1]), decodeURIComponent(found[2] ?? '')] as const;
      }),
    );
  } catch (cause) {
    const expected = 'key=value pairs with commas between them, values percent-encoded';
    throw Object.assign(refuseUnseen(name, expected), { cause });
  }
}

function headersOf(env: Environment): Record<string, string> {
  return {
    ...pairsOf(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
    ...pairsOf(env, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
  };
}

function numberOf(env: Environment, name: string, fallback: number, most: number): number {
  const text = env[name];
  if (text === undefined) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw refuse(name, text, `a number from 1 to ${most}`);
  return value;
}

function ratioOf(env: Environment): number {
  const text = env['OTEL_TRACES_SAMPLER_ARG'] ?? '1';
  const value = /^(?:0|1|0?\.\d+|1\.0+|0\.0+)$/.test(text) ? Number(text) : -1;
  if (value < 0 || value > 1) throw refuse('OTEL_TRACES_SAMPLER_ARG', text, 'a number from 0 to 1');
  return value;
}

function oneOf<const V extends readonly string[]>(
  name: string,
  value: string,
  values: V,
): V[number] {
  if (!values.includes(value)) throw refuse(name, value, values.join(' or '));
  return value;
}

/** How long the collector's answer is awaited by default, in ms: the value of OpenTelemetry. */
const usualTimeoutMs = 10_000;

/**
 * The settings of traces; undefined: none are recorded, which is the default.
 * @throws Error with one sentence for a wrong setting
 */
export function tracesOf(env: Environment): TraceSettings | undefined {
  const url = urlOf(env);
  if (url === undefined || env['OTEL_SDK_DISABLED'] === 'true') return undefined;
  const exporter = env['OTEL_TRACES_EXPORTER'] ?? 'otlp';
  if (oneOf('OTEL_TRACES_EXPORTER', exporter, ['otlp', 'none']) === 'none') return undefined;
  const protocol = otlp(env, 'PROTOCOL') ?? 'http/json';
  oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', protocol, ['http/json']);
  const queueMax = numberOf(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2_048, 100_000);
  const timeout = otlp(env, 'TIMEOUT');
  const named = timeout === undefined ? {} : { OTEL_EXPORTER_OTLP_TIMEOUT: timeout };
  return {
    url,
    headers: headersOf(env),
    compression: oneOf('OTEL_EXPORTER_OTLP_COMPRESSION', otlp(env, 'COMPRESSION') ?? 'none', [
      'none',
      'gzip',
    ]),
    timeoutMs: numberOf(named, 'OTEL_EXPORTER_OTLP_TIMEOUT', usualTimeoutMs, 60_000),
    resource: {
      'service.name': 'colophon',
      ...pairsOf(env, 'OTEL_RESOURCE_ATTRIBUTES'),
      ...(env['OTEL_SERVICE_NAME'] === undefined
        ? {}
        : { 'service.name': env['OTEL_SERVICE_NAME'] }),
    },
    sampler: oneOf('OTEL_TRACES_SAMPLER', env['OTEL_TRACES_SAMPLER'] ?? samplers[0], samplers),
    ratio: ratioOf(env),
    queueMax,
    batchMax: Math.min(numberOf(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 100_000), queueMax),
    pauseMs: numberOf(env, 'OTEL_BSP_SCHEDULE_DELAY', 5_000, 600_000),
  };
}
