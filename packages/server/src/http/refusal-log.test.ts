// Tests that a wave of refusals costs few log lines and that each refusal is still told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '#test/throw-away-database';
import { openRefusalLog } from './refusal-log.ts';

type Line = Readonly<Record<string, unknown>>;

function record() {
  const lines: Line[] = [];
  const warn = (fields: object, msg: string) => void lines.push({ ...fields, msg });
  return { lines, refusals: openRefusalLog({ warn }) };
}

test('of many refusals at once, the first are logged with their error and the rest as a number', () => {
  const { lines, refusals } = record();
  const error = new Error('timeout exceeded');
  for (let at = 0; at < 500; at += 1) refusals.add(`request-${at}`, error);
  assert.equal(lines.length, 10);
  assert.deepEqual(lines[9], {
    request_id: 'request-9',
    error,
    msg: 'A request was answered with 503 unavailable.',
  });
  refusals[Symbol.dispose]();
  assert.deepEqual(lines.slice(10), [
    { requests: 490, msg: 'More requests were answered with 503 unavailable.' },
  ]);
});

test('a window ends by itself, and the next one has lines again', async () => {
  const { lines, refusals } = record();
  for (let at = 0; at < 11; at += 1) refusals.add('first-window', undefined);
  await until('the window ends', () => lines.length > 10);
  assert.equal(lines[10]?.['requests'], 1);
  refusals.add('second-window', undefined);
  assert.equal(lines[11]?.['request_id'], 'second-window');
  refusals[Symbol.dispose]();
  assert.equal(lines.length, 12, 'no line for a count of none');
});
