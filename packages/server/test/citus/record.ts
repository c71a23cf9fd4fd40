// Writes down the statements that a process sends to the database, each text with a few samples of its values.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import pg from 'pg';
import { violatedConstraint } from '#database';

/** Names the folder in the environment of the test files. */
export const recordVariable = 'COLOPHON_TEST_STATEMENTS';

export interface Sample {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The function that sent it, as `file:line`, where it is known; `test/…` for one of the tests. */
  readonly place: string;
  /** Set if the statement was refused: its SQLSTATE and message. */
  readonly refusal?: string;
}

export interface Recording {
  /** Samples of a text. */
  readonly most: number;
  /** What tells a value apart from others of its kind, as far as a plan may depend on it. */
  readonly kindOf: (value: unknown) => string;
}

/** The plan may depend on which values are null. */
const usual: Recording = { most: 4, kindOf: () => 'v' };
/** Unsupported, and the errors of workers that have no code of their own. */
const refusing = new Set(['0A000', 'XX000']);
const seen = new Map<string, Set<string>>();

/** Lists differ by their lengths. */
function shapeOf(values: readonly unknown[], kindOf: Recording['kindOf']): string {
  return values
    .map((value) => {
      if (Array.isArray(value))
        return `${Math.min(value.length, 2)}${[...new Set(value.map(kindOf))].toSorted().join('')}`;
      return value === null || value === undefined ? '-' : kindOf(value);
    })
    .join(' ');
}

/** Frames of a stack: the usual ten end before the function that sent a statement of a test. */
const framesMax = 60;

function placeNow(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = framesMax;
  const frames = new Error('place').stack?.split('\n') ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  const frame = frames.find(
    (line) =>
      /server\/(?:src|test)\//.test(line) && !/src\/database\/client\/|test\/citus\//.test(line),
  );
  return /server\/(?:src\/)?([^)]*?:\d+)/.exec(frame ?? '')?.[1] ?? '';
}

function write(file: string, sample: Sample): void {
  appendFileSync(file, `${serialize(sample).toString('base64')}\n`);
}

interface Sent {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Statements of the service have a name, with an `r` if their buckets were named for a distributed database; those
 * of the tests themselves have none.
 */
export function isOfService(query: unknown): query is Sent {
  const { name } = (query ?? {}) as Partial<Sent>;
  return typeof query === 'object' && /^c[0-9a-f]{24}r?$/.test(`${name}`);
}

/** Writes samples of each statement of this process into the folder from now on. */
export function recordStatements(folder: string, { most, kindOf }: Recording = usual): void {
  const file = join(folder, `${process.pid}.samples`);
  const original = pg.Client.prototype.query as (...words: unknown[]) => unknown;

  function refused(sample: Sample, error: unknown): void {
    const { code = '', message } = error as Error & { code?: string };
    if (!refusing.has(code) || violatedConstraint(error) !== undefined) return;
    const refusal = `${code} ${message}`;
    const key = `refused ${sample.text}`;
    if (seen.has(key)) return;
    seen.set(key, new Set());
    write(file, { ...sample, refusal });
  }

  pg.Client.prototype.query = function query(this: pg.Client, ...words: unknown[]): unknown {
    const [sent] = words;
    if (!isOfService(sent)) return original.apply(this, words);
    const { text, values } = sent;
    const shapes = seen.get(text) ?? new Set();
    seen.set(text, shapes);
    const shape = shapeOf(values, kindOf);
    const sample = { text, values, place: shapes.size === 0 ? placeNow() : '' };
    if (!shapes.has(shape) && shapes.size < most) {
      shapes.add(shape);
      write(file, sample);
    }
    const last = words.at(-1);
    if (typeof last === 'function') {
      const told = (error: unknown, ...rest: unknown[]) => {
        if (error) refused(sample, error);
        (last as (...all: unknown[]) => void)(error, ...rest);
      };
      return original.apply(this, [...words.slice(0, -1), told]);
    }
    const result = original.apply(this, words);
    if (result instanceof Promise) result.catch((error: unknown) => refused(sample, error));
    return result;
  } as typeof pg.Client.prototype.query;
}

/** Returns the samples that all processes wrote into the folder, by text. */
export function readSamples(folder: string): ReadonlyMap<string, readonly Sample[]> {
  const samples = readdirSync(folder)
    .filter((name) => name.endsWith('.samples'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => deserialize(Buffer.from(line, 'base64')) as Sample);
  return Map.groupBy(samples, ({ text }) => text);
}
