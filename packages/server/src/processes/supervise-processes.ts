// Supervises the processes of this host: starts them, counts for them, watches them and replaces them.
import { prepare } from './child.ts';
import type { Child, Slot } from './child.ts';
import { openCounts } from './counts.ts';
import { openFigures } from './figures.ts';
import type { Question, ToSupervisor } from './messages.ts';
import { openSlots } from './slots.ts';
import type { Slots } from './slots.ts';
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
}

export interface Processes extends AsyncDisposable {
  /**
   * Starts one process for each slot. Returns the addresses on which they listen; undefined if one of them
   * could not start.
   */
  start(): Promise<readonly string[] | undefined>;
  /** Replaces each process by a new one, which is ready before the old one stops. */
  replaceAll(): Promise<void>;
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

async function replaceAll({ slots, log }: Options, held: Slots): Promise<void> {
  log.info({}, 'Every process is replaced by a new one.');
  for (const slot of slots) {
    const listening = await held.fill(slot);
    if (held.isStopping()) return;
    if (listening !== undefined) continue;
    log.error(
      { name: slot.name },
      'A new process could not start; the remaining processes are not replaced.',
    );
    return;
  }
  log.info({}, 'Every process was replaced by a new one.');
}

/** Returns a function that answers the questions of a process. */
function openAnswers(children: () => Iterable<Child>) {
  const counts = openCounts();
  const figures = openFigures(children);
  return {
    answer: (child: Child, questions: readonly (readonly [number, Question])[]): void => {
      const answers: (readonly [number, unknown])[] = [];
      for (const [id, question] of questions) {
        if (question[0] === 'figures') {
          void figures.read().then((all) => child.send({ kind: 'answers', answers: [[id, all]] }));
          continue;
        }
        const found = counts.answer(child.id, question);
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

function watched(
  { slots, log, watch }: Options,
  { alive, fill }: Slots,
  count: ReturnType<typeof openAnswers>['count'],
): Watcher {
  return watchProcesses(
    { ...usualWatch(slots.length), ...watch },
    {
      children: () => alive,
      stuck: (child) => {
        log.error(namesOf(child), 'A process does not respond; it is killed.');
        count('stuck');
        child.kill();
      },
      large: (child, bytes) => {
        log.warn({ ...namesOf(child), bytes }, 'A process uses too much memory; it is replaced.');
        count('memory');
        void fill(child.slot);
      },
    },
  );
}

/** Returns the supervisor of the processes. Nothing is started yet. */
export function superviseProcesses(options: Options): Processes {
  const { log, slots } = options;
  prepare(options.program);
  const answers = openAnswers(() => held.alive);
  const heard = (child: Child, message: ToSupervisor) => {
    if (message.kind === 'ask') answers.answer(child, message.questions);
    else if (message.kind === 'alive') watcher.alive(child, message.bytes);
    else if (message.kind === 'figures') answers.receive(message.id, child, message.figures);
  };
  const held = openSlots({
    environmentOf: options.environmentOf,
    heard,
    ended: answers.forget,
    lost: (child, ending) => {
      answers.count('ended');
      log.error(
        { ...namesOf(child), ...ending },
        'A process ended unexpectedly; another one is started.',
      );
    },
  });
  const watcher = watched(options, held, answers.count);
  let replacing: Promise<void> | undefined;
  return {
    start: () => startAll(slots, held),
    replaceAll: () =>
      (replacing ??= replaceAll(options, held).finally(() => (replacing = undefined))),
    [Symbol.asyncDispose]: async () => {
      watcher[Symbol.dispose]();
      await held.stop();
    },
  };
}
