// The ledger of erasures: a file outside the database, so that an old backup restores no erased text.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Erasure {
  readonly article_id: string;
  /** RFC 3339. */
  readonly erased_at: string;
}

export interface Ledger {
  readonly path: string;
  /** Resolves when the line is durable. A duplicate line has no further effect. */
  append(erasure: Erasure): Promise<void>;
  /** Yields every erasure, oldest first; a broken line is reported and skipped. */
  read(onBroken: (line: number) => void): AsyncGenerator<Erasure>;
}

function checkOf({ article_id, erased_at }: Erasure): string {
  return createHash('sha256').update(`${article_id} ${erased_at}`).digest('hex').slice(0, 16);
}

/** Returns a line of JSON in one fixed shape; `check` distinguishes a complete line from a torn one. */
export function ledgerLine(erasure: Erasure): string {
  const { article_id, erased_at } = erasure;
  return `${JSON.stringify({ article_id, erased_at, check: checkOf(erasure) })}\n`;
}

const shape =
  /^\{"article_id":"(?<article_id>[0-9A-Z]{26})","erased_at":"(?<erased_at>[\d:.TZ-]{20,24})","check":"(?<check>[0-9a-f]{16})"\}$/;

/** Returns the erasure that the line records; undefined if the line is broken. */
export function erasureOf(line: string): Erasure | undefined {
  const { article_id = '', erased_at = '', check } = shape.exec(line)?.groups ?? {};
  const erasure = { article_id, erased_at };
  return check === checkOf(erasure) ? erasure : undefined;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Appends the text in one write; a line that a crash cut short is terminated first. */
async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    const torn = size > 0 && last.toString() !== '\n';
    await file.appendFile(torn ? `\n${text}` : text);
    await file.sync();
    if (size === 0) await syncFolder(path);
  } finally {
    await file.close();
  }
}

interface Waiting {
  readonly line: string;
  readonly done: PromiseWithResolvers<void>;
}

/** Returns a function that appends erasures. Those that arrive during a write share the next one. */
function writer(path: string) {
  let waiting: Waiting[] = [];
  let writing = false;

  async function flush(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await write(path, batch.map(({ line }) => line).join('')).then(
        () => batch.forEach(({ done }) => done.resolve()),
        (error: Error) => batch.forEach(({ done }) => done.reject(error)),
      );
    }
    writing = false;
  }

  return (erasure: Erasure): Promise<void> => {
    const done = Promise.withResolvers<void>();
    waiting.push({ line: ledgerLine(erasure), done });
    if (!writing) void flush();
    return done.promise;
  };
}

async function* readLines(path: string, onBroken: (line: number) => void): AsyncGenerator<Erasure> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  let number = 0;
  try {
    for await (const line of lines) {
      number += 1;
      const erasure = erasureOf(line);
      if (erasure !== undefined) yield erasure;
      else if (line !== '') onBroken(number);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Returns the ledger in this folder. The file is not opened or created before it is used. */
export function openLedger(folder: string): Ledger {
  const path = join(folder, 'erasures.log');
  return { path, append: writer(path), read: (onBroken) => readLines(path, onBroken) };
}
