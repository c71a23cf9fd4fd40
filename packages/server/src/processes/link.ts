// The link of a process to the supervisor that started it.
import type { Outcome, Rate } from '#lib/token-bucket';
import type { Figures, Question, ToProcess, ToSupervisor } from './messages.ts';

export interface OwnFigures {
  read(): Promise<unknown>;
  /** Read at once: at the end neither the database nor the processor is waited for. */
  counts(): unknown;
}

export interface Link {
  /** Reports that this process migrates the database, which may take long, or that it has done so. */
  migrating(over: boolean): void;
  /** Reports that this process serves, and on which addresses. */
  ready(listening: readonly string[]): void;
  /** Counts in one place for all processes of this host. */
  readonly buckets: {
    /** Resolves with undefined if the supervisor does not answer in time. */
    take(key: string, rate: Rate, weight?: number): Promise<Outcome | undefined>;
    charge(key: string, rate: Rate, requests: number): Promise<boolean>;
  };
  readonly connections: {
    /**
     * Returns the number of open connections of the address in all processes, with this one; undefined if the
     * supervisor does not answer in time.
     */
    enter(address: string): Promise<number | undefined>;
    leave(address: string): void;
  };
  /** `read` answers requests for the figures of this process; `counts` are those that are kept after its end. */
  onFigures(own: OwnFigures): void;
  /** Returns the figures of every process of this host. */
  figures(): Promise<readonly Figures[]>;
  /** Hands over what this process counted before its end, and waits briefly until the supervisor has it. */
  lastFigures(): Promise<void>;
}

function send(message: ToSupervisor): void {
  // The end of the supervisor ends this process.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** A supervisor that is suspended or hangs must not delay requests: they are then counted here. */
const answerMs = 1_000;

/** Sends the questions of one turn of the event loop in one message. */
function openQuestions() {
  const waiting = new Map<number, (answer: unknown) => void>();
  let batch: [number, Question][] = [];
  let last = 0;

  function put(question: Question): number {
    last += 1;
    batch.push([last, question]);
    if (batch.length === 1) {
      setImmediate(() => {
        const questions = batch;
        batch = [];
        send({ kind: 'ask', questions });
        setTimeout(expire, answerMs, questions).unref();
      });
    }
    return last;
  }

  /** The figures of a host may take longer, and the supervisor bounds that time. */
  function expire(questions: readonly [number, Question][]): void {
    for (const [id, [kind]] of questions) if (kind !== 'figures') settle(id, undefined);
  }

  function settle(id: number, answer: unknown): void {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  }

  return {
    tell: (question: Question) => void put(question),
    ask: <T>(question: Question): Promise<T> =>
      new Promise((resolve) => {
        waiting.set(put(question), resolve as (answer: unknown) => void);
      }),
    receive: (answers: readonly (readonly [number, unknown])[]) => {
      for (const [id, answer] of answers) settle(id, answer);
    },
  };
}

/**
 * Opens the link. If the supervisor ends for any reason, Node.js ends this process too, as soon as it runs.
 * @throws Error if no supervisor started this process
 */
export function openLink(): Link {
  if (process.send === undefined) {
    throw new Error(
      'COLOPHON_PROCESS is set, but no supervisor started this process: unset it, and set PROCESSES to run several processes.',
    );
  }
  const { ask, tell, receive } = openQuestions();
  let figures: OwnFigures | undefined;
  process.on('message', (message: ToProcess) => {
    if (message.kind === 'answers') receive(message.answers);
    else if (message.kind === 'ping') send({ kind: 'alive', bytes: process.memoryUsage.rss() });
    else {
      const { id } = message;
      const all = figures?.read().catch(() => null) ?? Promise.resolve(null);
      void all.then((own) => send({ kind: 'figures', id, figures: own }));
    }
  });
  return {
    migrating: (over) => send({ kind: 'migrating', over }),
    ready: (listening) => send({ kind: 'ready', listening }),
    buckets: {
      take: (key, { requests, windowMs }, weight = 1) =>
        ask(['take', key, requests, windowMs, weight]),
      charge: (key, { requests, windowMs }, more) => {
        tell(['charge', key, requests, windowMs, more]);
        return Promise.resolve(true);
      },
    },
    connections: {
      enter: (address) => ask(['enter', address]),
      leave: (address) => tell(['leave', address]),
    },
    onFigures: (own) => {
      figures = own;
    },
    figures: () => ask(['figures']),
    lastFigures: async () => {
      if (figures !== undefined) await ask(['last', figures.counts()]);
    },
  };
}
