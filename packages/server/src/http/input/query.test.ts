// Query parameters: what a refusal says to send instead.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@colophon/contract';
import { isProblem } from '../problem.ts';
import { compileCheck } from './check.ts';
import { readQuery } from './query.ts';

const { createEdge, readModerationStatistics } = operations;

for (const [{ querySchema }, text, detail] of [
  [createEdge, 'dry_run=yes', 'The query parameter dry_run must be true or false.'],
  [
    readModerationStatistics,
    'month=1999-01',
    'The query parameter month must be a month of the years 2000 to 2099, such as 2026-01; default: the current month.',
  ],
] as const)
  test(`400 ${text}`, () => {
    assert.throws(
      () => readQuery(querySchema, compileCheck(querySchema), text),
      (thrown) => isProblem(thrown) && thrown.message === detail,
    );
  });

for (const [text, detail] of [
  ['q=a&topic=%F0', 'The query string is not percent-encoded UTF-8: encode it again.'],
  ['q=a%00', 'The query string must not contain NUL: leave it out.'],
] as const)
  test(`400 ${text}`, () => {
    const { querySchema } = operations.search;
    assert.throws(
      () => readQuery(querySchema, compileCheck(querySchema), text),
      (thrown) => isProblem(thrown) && thrown.message === detail,
    );
  });
