// Tests of the settings of traces: those of OpenTelemetry, and a sentence for each that cannot be followed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { secretHider } from './secrets.ts';
import { tracesOf } from './traces.ts';

const at = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

test('without an endpoint, or switched off, there are none', () => {
  assert.equal(tracesOf({ OTEL_SERVICE_NAME: 'colophon' }), undefined);
  assert.equal(tracesOf({ ...at, OTEL_SDK_DISABLED: 'true' }), undefined);
  assert.equal(tracesOf({ ...at, OTEL_TRACES_EXPORTER: 'none' }), undefined);
});

test('the defaults are those of OpenTelemetry', () => {
  assert.deepEqual(tracesOf(at), {
    url: 'http://collector:4318/v1/traces',
    headers: {},
    compression: 'none',
    timeoutMs: 10_000,
    resource: { 'service.name': 'colophon' },
    sampler: 'parentbased_always_on',
    ratio: 1,
    queueMax: 2_048,
    batchMax: 512,
    pauseMs: 5_000,
  });
});

test('settings for traces go before those for all signals', () => {
  const traces = tracesOf({
    ...at,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://other/path',
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=two%20words',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=3',
    OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '200',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=first,zone=north',
    OTEL_SERVICE_NAME: 'second',
    OTEL_BSP_MAX_QUEUE_SIZE: '10',
  });
  assert.equal(traces?.url, 'https://other/path');
  assert.deepEqual(traces?.headers, { a: '3', b: 'two words' });
  assert.equal(traces?.timeoutMs, 200);
  assert.deepEqual(traces?.resource, { 'service.name': 'second', zone: 'north' });
  assert.deepEqual([traces?.queueMax, traces?.batchMax], [10, 10]);
});

for (const [name, value] of [
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://user:password@collector'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a secret without a name'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%'],
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '0'],
  ['OTEL_TRACES_EXPORTER', 'console'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['OTEL_BSP_MAX_QUEUE_SIZE', 'many'],
] as const)
  test(`${name}=${value} is refused in a sentence`, () => {
    assert.throws(
      () => tracesOf({ ...at, [name]: value }),
      ({ message }: Error) => {
        assert.match(message, new RegExp(`^${name} is .*: set it to .+\\.$`));
        return !/secret|password/.test(message);
      },
    );
  });

test('the values of headers are secrets', () => {
  const hide = secretHider({
    OTEL_EXPORTER_OTLP_HEADERS: 'a=first-key,authorization=Bearer%20second',
  });
  assert.equal(hide('first-key, Bearer second: 401'), '[redacted], [redacted]: 401');
});

test('the command that adds the packages names the locked versions', () => {
  const read = (file: string) =>
    JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Record<
      'scripts' | 'devDependencies',
      Record<string, string>
    >;
  const wanted = Object.entries(read('../../package.json').devDependencies)
    .filter(([name]) => name.startsWith('@opentelemetry/'))
    .map(([name, version]) => `${name}@${version}`);
  const command = read('../../../../package.json').scripts['add-traces'] ?? '';
  assert.deepEqual(
    command.split(' ').filter((word) => word.startsWith('@')),
    wanted,
  );
});
