// Asks the planner of a distributed database about every statement: is it refused, and how many shards does it visit?
import pg from 'pg';
import { violatedConstraint } from '#database';
import type { Sample } from './record.ts';

export type Verdict = 'its shards' | 'no table' | 'all shards' | 'marked' | 'refused';

interface Judgement {
  readonly verdict: Verdict;
  /** Why it is refused, or the counts of shards that its parts visit. */
  readonly reason: string;
}

interface Finding extends Judgement {
  readonly place: string;
  readonly text: string;
}

interface Tasks {
  readonly counts: readonly number[];
  readonly remark: string;
}

const marked = /--\s*every bucket:/;

/** Runs `work` in a transaction that is rolled back. */
async function tryAndRollBack<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    return await work();
  } finally {
    await client.query('rollback');
  }
}

/** Returns how many shards each part of the plan visits, and what is remarkable about it. */
async function plannedTasks(client: pg.Client, { text, values }: Sample): Promise<Tasks> {
  const { rows } = await client.query<Record<'QUERY PLAN', string>>({
    text: `explain (costs off) ${text}`,
    values: [...values],
  });
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const parts = plan.match(/Distributed Subplan/g)?.length ?? 0;
  return {
    counts: Array.from(plan.matchAll(/Task Count: (\d+)/g), ([, count]) => Number(count)),
    remark: parts > 0 ? `, ${parts} subplans` : '',
  };
}

/**
 * Errors of a row, not of a statement: it was planned and sent to its shards. That of INSERT … SELECT has no code of its
 * own.
 */
function isOfRow(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return /^(?:2[0-9]|P0)/.test(code) || violatedConstraint(error) !== undefined;
}

/**
 * Returns the same by running the statement, counting what was sent to each shard. EXPLAIN refuses some
 * statements that run: those whose rows come from a common table expression that writes.
 */
async function sentTasks(client: pg.Client, { text, values }: Sample): Promise<Tasks> {
  const sent = new Map<string, number>();
  const count = ({ message = '' }: { message?: string | undefined }) => {
    const shape = /^(?:issuing|executing the command locally:) (.*_\d{6}[\s\S]*)$/.exec(
      message,
    )?.[1];
    if (shape === undefined) return;
    const key = shape.replaceAll(/\d+/g, '0');
    sent.set(key, (sent.get(key) ?? 0) + 1);
  };
  client.on('notice', count);
  try {
    await client.query('set local citus.log_remote_commands to on');
    await client.query('set local citus.log_local_commands to on');
    await client.query({ text, values: [...values] });
  } catch (error) {
    if (!isOfRow(error)) throw error;
  } finally {
    client.off('notice', count);
  }
  return { counts: [...sent.values()], remark: ', as run' };
}

/** How many shards the keys in these values may need: one, or one for each bucket in a list. */
function shardsOf(values: readonly unknown[]): number {
  const lists = values.filter((value) => Array.isArray(value));
  const buckets = lists.filter((list) => list.every((one) => typeof one === 'number'));
  return Math.max(1, ...buckets.map((list) => new Set(list).size));
}

function judge({ counts, remark }: Tasks, { text, values }: Sample): Judgement {
  const reason = `tasks ${counts.join('+')}${remark}`;
  if (counts.length === 0) return { verdict: 'no table', reason };
  if (Math.max(...counts) <= shardsOf(values)) return { verdict: 'its shards', reason };
  return { verdict: marked.test(text) ? 'marked' : 'all shards', reason };
}

async function judgementOf(client: pg.Client, sample: Sample): Promise<Judgement> {
  try {
    const tasks = await tryAndRollBack(client, () => plannedTasks(client, sample)).catch(() =>
      tryAndRollBack(client, () => sentTasks(client, sample)),
    );
    return judge(tasks, sample);
  } catch (error) {
    return { verdict: 'refused', reason: (error as Error).message };
  }
}

const order: readonly Verdict[] = ['no table', 'its shards', 'marked', 'all shards', 'refused'];

/** The worst verdict on the samples of one text. */
async function findingOf(client: pg.Client, samples: readonly Sample[]): Promise<Finding> {
  const text = samples[0]?.text ?? '';
  const place = samples.find((sample) => sample.place !== '')?.place ?? '';
  const findings: Finding[] = [];
  for (const sample of samples) {
    const { refusal } = sample;
    const found: Judgement =
      refusal === undefined
        ? await judgementOf(client, sample)
        : { verdict: 'refused', reason: refusal };
    findings.push({ ...found, place, text });
  }
  const worst = findings.toSorted((a, b) => order.indexOf(b.verdict) - order.indexOf(a.verdict));
  return worst[0] as Finding;
}

function lineOf({ verdict, place, reason, text }: Finding): string {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  return `${verdict}: ${place}\n    ${reason}\n    ${words}\n`;
}

/**
 * Plans each statement on the database and returns a report: how many there are of each verdict, then those that
 * are refused, and those that visit all shards although no comment says `every bucket`.
 */
export async function checkPlans(
  connection: pg.ClientConfig,
  statements: ReadonlyMap<string, readonly Sample[]>,
): Promise<string> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const findings: Finding[] = [];
    for (const [text, samples] of statements) {
      if (samples.some(({ place }) => /\.test\.ts:|^test\//.test(place))) continue;
      if (/^\s*(?:--[^\n]*\n\s*)*(?:select|insert|update|delete|with|merge)\b/i.test(text))
        findings.push(await findingOf(client, samples));
    }
    const counts = order.map(
      (verdict) => `${verdict}: ${findings.filter((one) => one.verdict === verdict).length}`,
    );
    const wrong = findings.filter(
      ({ verdict }) => verdict === 'refused' || verdict === 'all shards',
    );
    return [...wrong.map(lineOf), `${findings.length} statements; ${counts.join('; ')}`, ''].join(
      '\n',
    );
  } finally {
    await client.end();
  }
}
