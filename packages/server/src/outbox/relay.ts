// Moves committed messages to the job queue, one process at a time.
import { sql } from '#database';
import { laneFlag } from './singleton-jobs.ts';
import { trackWaitingJobs } from './coalescing.ts';
import type { WaitingJobs } from './coalescing.ts';
import { inTransaction } from './dedicated-connection.ts';
import type { Ask } from './dedicated-connection.ts';
import type { Message } from './messages.ts';
import type { Subscriber } from './subscriber.ts';
import { hasLease, returnLease, takeLease } from './relay-lease.ts';
import { deleteFromServers, listFromServers, takeBatch } from './take-messages.ts';
import type { Taken } from './take-messages.ts';

export const attemptsMax = 12;
/** The queue runs ready jobs with the lowest number first. */
export const priorities = { urgent: -10, normal: 0, low: 10, background: 20, idle: 30 } as const;

type Route = Pick<Subscriber, 'type' | 'name' | 'priority' | 'alone' | 'many'>;

/**
 * The jobs that a message becomes: one per subscriber, so that a failure of one does not repeat the others.
 */
export type Routes = ReadonlyMap<string, readonly Route[]>;

/** Returns the name of a subscriber in the job queue. */
export function taskOf(subscriber: { readonly type: string; readonly name: string }): string {
  return `${subscriber.type}:${subscriber.name}`;
}

export function routesOf(subscribers: readonly Subscriber<Message>[]): Routes {
  const tasks = subscribers.map(taskOf);
  const twice = tasks.find((task, index) => tasks.indexOf(task) !== index);
  if (twice !== undefined) throw new Error(`Two subscribers have the name ${twice}.`);
  const byType = Map.groupBy(subscribers, (subscriber) => subscriber.type as string);
  return new Map(byType);
}

interface Item {
  readonly row: Taken;
  /** Identifies equal messages, which need one job: subscribers read the present state. */
  readonly object: string;
}

function itemOf(row: Taken): Item {
  const { type, bucket, payload } = row;
  return { row, object: `${type} ${bucket} ${JSON.stringify(payload)}` };
}

/** Returns the oldest of equal messages, in the order of their ids. */
function distinct(taken: readonly Taken[]): readonly Item[] {
  const byObject = new Map<string, Item>();
  for (const item of taken.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(itemOf))
    if (!byObject.has(item.object)) byObject.set(item.object, item);
  return [...byObject.values()];
}

interface Job {
  readonly route: Route;
  readonly key: string;
  readonly items: readonly Item[];
}

function jobsOf(route: Route, items: readonly Item[]): Job[] {
  const size = route.many?.atOnce ?? 1;
  const jobs: Job[] = [];
  for (let from = 0; from < items.length; from += size) {
    const some = items.slice(from, from + size);
    jobs.push({ route, key: `${some[0]?.row.id}:${route.name}`, items: some });
  }
  return jobs;
}

function specOf({ route, key, items }: Job) {
  const messages = items.map(({ row: { traceparent, created_at, ...row } }) => ({
    ...row,
    created_at: created_at.toISOString(),
    ...(traceparent === null ? {} : { traceparent }),
  }));
  return {
    identifier: taskOf(route),
    payload: messages.length === 1 ? messages[0] : messages,
    job_key: key,
    max_attempts: attemptsMax,
    priority: priorities[route.priority ?? 'normal'],
    ...(route.alone ? { flags: [laneFlag(route.alone)] } : {}),
  };
}

/** Adds jobs for messages that no waiting job covers, and returns those jobs. */
async function addJobs(
  ask: Ask,
  taken: readonly Taken[],
  { routes, handed }: { readonly routes: Routes; readonly handed: WaitingJobs },
): Promise<readonly Job[]> {
  const wanted = [...Map.groupBy(distinct(taken), ({ row }) => row.type)].flatMap(([type, items]) =>
    (routes.get(type) ?? []).map((route) => ({ route, items })),
  );
  const keyOf = (route: Route, { object }: Item) => handed.keyOf(taskOf(route), object);
  const keys = wanted.flatMap(({ route, items }) =>
    items.flatMap((item) => keyOf(route, item) ?? []),
  );
  const waiting = await handed.listWaiting(ask, keys);
  const jobs = wanted.flatMap(({ route, items }) => {
    const isNew = (item: Item) => !waiting.has(keyOf(route, item) ?? '');
    return jobsOf(route, items.filter(isNew));
  });
  if (jobs.length === 0) return jobs;
  const specs = JSON.stringify(jobs.map(specOf));
  await ask(sql`
    select count(*)
    from graphile_worker.add_jobs(array(
      select json_populate_recordset(null::graphile_worker.job_spec, ${specs}::json)
    ))`);
  return jobs;
}

/** Messages whose jobs are added, which are not deleted yet. */
export interface Undeleted {
  messages: readonly Taken[];
}

interface Moving {
  readonly handed?: WaitingJobs;
  /** Whether the rows may be on several servers. */
  readonly sharded?: boolean;
  readonly undeleted?: Undeleted;
}

/** Stores which messages these jobs are for. */
function rememberAll(handed: WaitingJobs, jobs: readonly Job[]): void {
  for (const { route, key, items } of jobs) {
    const objects = items.map(({ object }) => object);
    handed.remember(taskOf(route), key, objects);
  }
}

/** Moves a batch in one transaction. */
async function moveHere(ask: Ask, routes: Routes, handed: WaitingJobs): Promise<number | 'busy'> {
  let jobs: readonly Job[] = [];
  const moved = await inTransaction(ask, async () => {
    if (!(await hasLease(ask))) return 'busy';
    const taken = await takeBatch(ask, [...routes.keys()]);
    if (taken.length > 0) jobs = await addJobs(ask, taken, { routes, handed });
    return taken.length;
  });
  rememberAll(handed, jobs);
  return moved;
}

async function deleteMoved(ask: Ask, undeleted: Undeleted): Promise<void> {
  if (undeleted.messages.length > 0) await deleteFromServers(ask, undeleted.messages);
  undeleted.messages = [];
}

/**
 * Moves a batch of messages that are on several servers: the jobs, which are on the coordinator, are committed
 * before the messages are deleted. In one transaction, a message could be lost: where one other server takes
 * part, Citus lets it commit on its own before the coordinator does, which may be killed in between. A crash now
 * leaves a message whose job was added, so it gets another one. A server that cannot delete, such as one with a
 * full disk, is asked again before anything else is moved: each turn would add the same jobs.
 */
async function moveFromServers(
  ask: Ask,
  routes: Routes,
  { handed, undeleted }: Required<Moving>,
): Promise<number | 'busy'> {
  if (!(await takeLease(ask))) return 'busy';
  try {
    await deleteMoved(ask, undeleted);
    const taken = await listFromServers(ask, [...routes.keys()]);
    // One statement adds them all, so it needs no transaction around it.
    if (taken.length > 0) rememberAll(handed, await addJobs(ask, taken, { routes, handed }));
    undeleted.messages = taken;
    await deleteMoved(ask, undeleted);
    return taken.length;
  } finally {
    // Ended with the connection if that is lost.
    await returnLease(ask).catch(() => undefined);
  }
}

/** Moves one batch. Returns the number of messages, or `busy` while another relay works. */
export function moveBatch(
  ask: Ask,
  routes: Routes,
  { handed = trackWaitingJobs(), sharded = false, undeleted = { messages: [] } }: Moving = {},
): Promise<number | 'busy'> {
  return sharded
    ? moveFromServers(ask, routes, { handed, sharded, undeleted })
    : moveHere(ask, routes, handed);
}
