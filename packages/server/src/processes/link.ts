// The link of a process to the supervisor that started it.
import type { Outcome, Rate } from '#lib/token-bucket';
import type { Figures, Question, ToProcess, ToSupervisor } from './messages.ts';

export interface Link {
  /** Reports that this process serves, and on which addresses. */
  ready(listening: readonly string[]): void;
  /** Counts in one place for all processes of this host. */
  readonly buckets: {
    take(key: string, rate: Rate, weight?: number): Promise<Outcome>;
    charge(key: string, rate: Rate, requests: number): Promise<boolean>;
  };
  readonly connections: {
    /** Returns the number of open connections of the address in all processes, with this one. */
    enter(address: string): Promise<number>;
    leave(address: string): void;
  };
  /** Answers requests for the figures of this process. */
  onFigures(read: () => Promise<unknown>): void;
  /** Returns the figures of every process of this host. */
  figures(): Promise<readonly Figures[]>;
}

function send(message: ToSupervisor): void {
  // The end of the supervisor ends this process.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

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
        send({ kind: 'ask', questions: batch });
        batch = [];
      });
    }
    return last;
  }

  return {
    tell: (question: Question) => void put(question),
    ask: <T>(question: Question): Promise<T> =>
      new Promise((resolve) => {
        waiting.set(put(question), resolve as (answer: unknown) => void);
      }),
    receive: (answers: readonly (readonly [number, unknown])[]) => {
      for (const [id, answer] of answers) {
        waiting.get(id)?.(answer);
        waiting.delete(id);
      }
    },
  };
}

/** Opens the link. If the supervisor ends for any reason, Node.js ends this process too. */
export function openLink(): Link {
  const { ask, tell, receive } = openQuestions();
  let read: (() => Promise<unknown>) | undefined;
  process.on('message', (message: ToProcess) => {
    if (message.kind === 'answers') receive(message.answers);
    else if (message.kind === 'ping') send({ kind: 'alive', bytes: process.memoryUsage.rss() });
    else {
      const { id } = message;
      const figures = read?.().catch(() => null) ?? Promise.resolve(null);
      void figures.then((own) => send({ kind: 'figures', id, figures: own }));
    }
  });
  return {
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
      read = own;
    },
    figures: () => ask(['figures']),
  };
}
