// The completed steps of a seed, stored in a file by server URL, so that a second run continues.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

type Done = Record<string, unknown>;

export interface Steps {
  /** Returns the number of stored results. */
  readonly count: () => number;
  /** Returns the stored result of a step, or runs the step now. Failures are not stored. */
  readonly once: <T>(name: string, run: () => Promise<T>) => Promise<T>;
  /** Deletes all results: the server's database is another one. */
  readonly forget: () => void;
}

async function readAll(file: string): Promise<Record<string, Done>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, Done>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Opens the file. It contains tokens and private keys: only its owner can read it. */
export async function openSteps(file: string, baseUrl: string): Promise<Steps> {
  const all = await readAll(file);
  let done = all[baseUrl] ?? {};

  async function save(): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    const text = JSON.stringify({ ...all, [baseUrl]: done }, null, 2);
    await writeFile(`${file}.next`, `${text}\n`, { mode: 0o600 });
    await rename(`${file}.next`, file);
  }

  return {
    count: () => Object.keys(done).length,
    once: async (name, run) => {
      if (name in done) return done[name] as Awaited<ReturnType<typeof run>>;
      const result = await run();
      done[name] = result;
      await save();
      return result;
    },
    forget: () => {
      done = {};
    },
  };
}
