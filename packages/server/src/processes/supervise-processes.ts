// Supervises the processes of this host: starts them, counts for them, watches them and replaces them.
import { prepare } from './child.ts';
import type { Child, Slot } from './child.ts';
import { openCounts } from './counts.ts';
import { openFigures } from './figures.ts';
import type { Counted } from './figures.ts';
import type { Question, ToSupervisor } from './messages.ts';
import { recordPids } from './pid-record.ts';
import { openSlots } from './slots.ts';
import type { Failure, Slots } from './slots.ts';
import { usualWatch, watchProcesses } from './watch.ts';
import type { Watch, Watcher } from './watch.ts';

interface Log {
  readonly info: (fields: object, text: string) => void;
  readonly warn: (fields: object, text: string) => void;
  readonly error: (fields: object, text: string) => void;
}

export interface Options {
  readonly slots: readonly Slot[];
  /** The file that each process runs. It is read from the disk at each start of a process. */
  readonly program: string;
  readonly environmentOf: (slot: Slot) => Readonly<Record<string, string>>;
  readonly log: Log;
  readonly watch: Partial<Watch>;
  /** The file that names the processes, for `endLeftBehind` at the next start. */
  readonly pidFile: string;
}

export interface Processes extends AsyncDisposable {
  /**
   * Starts one process for each slot. Returns the addresses on which they listen; undefined if one of them
   * could not start.
   */
  start(): Promise<readonly string[] | undefined>;
  /**
   * Replaces each process by a new one, which is ready before the old one stops. A call during the start or
   * during a replacement leads to one more replacement after it.
   */
  replaceAll(): void;
}

const namesOf = ({ slot, pid }: Child) => ({ name: slot.name, pid });

async function startAll(
  [first, ...others]: readonly Slot[],
  { fill }: Slots,
): Promise<readonly string[] | undefined> {
  if (first === undefined) return [];
  // The first one migrates the database, and is the only one to say why it cannot start.
  const listening = await fill(first);
  if (listening === undefined) return undefined;
  const rest = await Promise.all(others.map((slot) => fill(slot)));
  return rest.includes(undefined) ? undefined : listening;
}

async function replaceEach({ slots, log }: Options, running: Slots): Promise<void> {
  log.info({}, 'Every process is replaced by a new one.');
  for (const slot of slots) {
    const listening = await running.replace(slot);
    if (running.isStopping()) return;
    if (listening !== undefined) continue;
    log.error(
      { name: slot.name },
      'The replacement has ended: a new process did not become ready. The remaining old ones go on serving.',
    );
    return;
  }
  log.info({}, 'Every process was replaced by a new one.');
}

/** Runs one replacement at a time. Calls during one lead to one more, which reads the program again. */
function openReplacements(replace: () => Promise<void>) {
  let isRunning = false;
  let wanted = false;
  return async (started: Promise<unknown>): Promise<void> => {
    wanted = true;
    if (isRunning) return;
    isRunning = true;
    await started;
    while (wanted) {
      wanted = false;
      await replace();
    }
    isRunning = false;
  };
}

function logFailure({ log }: Options, { name }: Slot, failure: Failure): void {
  if (failure.why === 'not started') {
    log.error({ name, err: failure.error }, 'A new process could not be started.');
    return;
  }
  const { pid } = failure.child;
  if (failure.why === 'late')
    log.error({ name, pid }, 'A new process was not ready in time; it is killed.');
  else log.error({ name, pid, ...failure.ending }, 'A new process ended before it was ready.');
}

/** Returns a function that answers the questions of a process. */
function openAnswers(counted: Counted) {
  const counts = openCounts();
  const figures = openFigures(counted);
  return {
    answer: (child: Child, questions: readonly (readonly [number, Question])[]): void => {
      const answers: (readonly [number, unknown])[] = [];
      for (const [id, question] of questions) {
        if (question[0] === 'figures') {
          void figures.read().then((all) => child.send({ kind: 'answers', answers: [[id, all]] }));
          continue;
        }
        if (question[0] === 'last') figures.keep(child, question[1]);
        const found = question[0] === 'last' ? true : counts.answer(child.id, question);
        if (found !== undefined) answers.push([id, found]);
      }
      if (answers.length > 0) child.send({ kind: 'answers', answers });
    },
    receive: figures.receive,
    count: figures.count,
    forget: (child: Child) => {
      counts.forget(child.id);
      figures.end(child);
    },
  };
}

function startWatcher(
  watch: Watch,
  log: Options['log'],
  {
    running,
    count,
  }: { readonly running: Slots; readonly count: ReturnType<typeof openAnswers>['count'] },
): Watcher {
  return watchProcesses(watch, {
    children: () => running.alive,
    stuck: (child) => {
      log.error(namesOf(child), 'A process does not respond; it is killed.');
      count('stuck');
      child.kill();
    },
    large: (child, bytes) => {
      log.warn({ ...namesOf(child), bytes }, 'A process uses too much memory; it is replaced.');
      count('memory');
      void running.replace(child.slot);
    },
  });
}

function openRecordedSlots(
  options: Options,
  answers: ReturnType<typeof openAnswers>,
  { startMs, heard }: Pick<Parameters<typeof openSlots>[0], 'startMs' | 'heard'>,
): Slots {
  const { log, environmentOf, pidFile } = options;
  const pids = recordPids(pidFile);
  const running = openSlots({
    environmentOf,
    startMs,
    heard,
    changed: (child, alive) => {
      pids.write([...running.alive].map(({ pid }) => pid));
      if (!alive) answers.forget(child);
    },
    lost: (child, ending) => {
      answers.count('ended');
      log.error(
        { ...namesOf(child), ...ending },
        'A process ended unexpectedly; another one is started.',
      );
    },
    failed: (slot, failure) => logFailure(options, slot, failure),
  });
  return running;
}

/** Returns the supervisor of the processes. Nothing is started yet. */
export function superviseProcesses(options: Options): Processes {
  const { log, slots } = options;
  const watch = { ...usualWatch(slots.length), ...options.watch };
  prepare(options.program);
  const answers = openAnswers({
    children: () => running.alive,
    responds: (child) => watcher.responds(child),
    expected: slots.length,
  });
  const heard = (child: Child, message: ToSupervisor) => {
    if (message.kind === 'ask') answers.answer(child, message.questions);
    else if (message.kind === 'alive') watcher.alive(child, message.bytes);
    else if (message.kind === 'figures') answers.receive(message.id, child, message.figures);
  };
  const running = openRecordedSlots(options, answers, { startMs: watch.startMs, heard });
  const watcher = startWatcher(watch, log, { running, count: answers.count });
  const replace = openReplacements(() => replaceEach(options, running));
  const started = Promise.withResolvers<void>();
  return {
    start: async () => {
      const listening = await startAll(slots, running);
      started.resolve();
      return listening;
    },
    replaceAll: () => void replace(started.promise),
    [Symbol.asyncDispose]: async () => {
      watcher[Symbol.dispose]();
      await running.stop();
    },
  };
}
