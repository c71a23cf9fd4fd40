// What deploy/monitoring asks of Prometheus: the expressions of its files, and the metrics that they name.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFile(join(root, file), 'utf8');

interface Asked {
  /** The alert, or the panel of the dashboard. */
  readonly name: string;
  readonly expr: string;
}

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly { alert: string; expr: string }[] }[];
}

/** Reads the alert rules. */
export async function readAlerts(): Promise<readonly Asked[]> {
  const { groups } = parse(await read('deploy/monitoring/alerts.yml')) as Rules;
  return groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ name: alert, expr })));
}

/** Reads the panels of the dashboard, with Grafana's variables replaced. */
export async function readPanels(): Promise<readonly Asked[]> {
  const text = await read('deploy/monitoring/colophon-dashboard.json');
  const { panels } = JSON.parse(text) as { readonly panels: readonly Panel[] };
  return panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ name: title, expr: expr.replaceAll('$__rate_interval', '5m') })),
  );
}

/** Returns the metrics that an expression names; it must be PromQL. */
export function metricsIn({ name, expr }: Asked): readonly string[] {
  const found: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ type, node, from, to }) => {
      assert.ok(!type.isError, `${name}: ${expr} is not PromQL at ${from}`);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        found.push(expr.slice(from, to));
    },
  });
  assert.ok(found.length > 0, `${name}: ${expr} names a metric`);
  return found;
}

/** Returns the names of the alerts that docs/running.md says what to do about. */
export async function readRunbook(): Promise<readonly string[]> {
  const section = /^## Alerts$(.*)/ms.exec(await read('docs/running.md'))?.[1] ?? '';
  return [...section.matchAll(/^- `(\w+)`: \S/gm)].map(([, name = '']) => name);
}
