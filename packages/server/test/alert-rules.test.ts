// The cases of the alert rules: each alert has one, and promtool finds all of them right.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { findProgram } from './installed-programs.ts';
import { readAlerts } from './monitoring-files.ts';

const folder = join(import.meta.dirname, '../../../deploy/monitoring');

interface Cases {
  readonly tests: readonly {
    readonly promql_expr_test: readonly {
      readonly exp_samples?: readonly { readonly labels: string }[];
    }[];
  }[];
}

const promtool = findProgram('promtool');

test('every alert has a case in which it fires', async () => {
  const text = await readFile(join(folder, 'alerts.test.yml'), 'utf8');
  const { tests } = parse(text) as Cases;
  const labels = tests.flatMap(({ promql_expr_test: asked }) =>
    asked.flatMap(({ exp_samples: samples = [] }) => samples.map((one) => one.labels)),
  );
  const fired = labels.map((one) => /alertname="(\w+)"/.exec(one)?.[1]);
  const alerts = await readAlerts();
  assert.deepEqual(new Set(fired), new Set(alerts.map(({ name }) => name)));
});

test(
  'promtool finds every case right',
  { skip: promtool === undefined && 'no promtool on this machine: install prometheus' },
  async () => {
    const run = promisify(execFile);
    const { stdout } = await run(promtool ?? '', ['test', 'rules', 'alerts.test.yml'], {
      cwd: folder,
    });
    assert.match(stdout, /SUCCESS/);
  },
);
