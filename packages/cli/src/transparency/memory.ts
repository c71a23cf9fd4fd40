// What this computer remembers of the log of each service: its key, and the newest checkpoint that was seen.
import { join } from 'node:path';
import type { CheckpointMemory } from '@colophon/sdk';
import { failure } from '../failures.ts';
import { isObject, parseJson, toJson } from '../json.ts';
import { readPrivate, writePrivate } from '../profiles/private-file.ts';
import { configFolder } from '../profiles/profiles.ts';
import type { Terminal } from '../terminal.ts';
import { hexHash } from './sha256.ts';

/** One file for each service. */
export interface RememberedLog {
  /** The address of the service. */
  readonly url: string;
  readonly origin: string;
  readonly verifier_key: string;
  /** The newest checkpoint, as it was received. */
  readonly checkpoint: string | null;
  /** The clock of this computer when it was received. */
  readonly seen_at: string | null;
}

export interface LogMemory {
  /** The name of the file. */
  readonly file: string;
  /** Returns what is remembered; undefined for a service that was never looked at. @throws Failure */
  read(): Promise<RememberedLog | undefined>;
  write(log: RememberedLog): Promise<void>;
}

function isRemembered(value: unknown): value is RememberedLog {
  if (!isObject(value)) return false;
  const texts = ['url', 'origin', 'verifier_key'].every((name) => typeof value[name] === 'string');
  const rest = ['checkpoint', 'seen_at'].every(
    (name) => value[name] === null || typeof value[name] === 'string',
  );
  return texts && rest;
}

/** Opens the memory for a service. It is kept by the address, so that a service cannot change its log's name. */
export function openLogMemory(env: Terminal['env'], url: string): LogMemory {
  const name = hexHash(url.replace(/\/+$/, '')).slice(0, 32);
  const file = join(configFolder(env), 'logs', `${name}.json`);
  return {
    file,
    read: async () => {
      const text = await readPrivate(file);
      if (text === undefined) return undefined;
      const log = parseJson(text);
      if (isRemembered(log)) return log;
      throw failure(
        `${file} cannot be read: it is what this computer remembers of the log of ${url}.`,
        'Restore it from a copy. Without it, nothing shows that the log is the one that you saw before.',
      );
    },
    write: (log) => writePrivate(file, `${toJson(log, 2)}\n`),
  };
}

/** The memory as the client uses it. */
export function checkpointMemory(
  memory: LogMemory,
  { url, origin, verifier_key }: Pick<RememberedLog, 'url' | 'origin' | 'verifier_key'>,
): CheckpointMemory {
  return {
    read: async () => (await memory.read())?.checkpoint ?? undefined,
    write: (_, checkpoint) =>
      memory.write({ url, origin, verifier_key, checkpoint, seen_at: new Date().toISOString() }),
  };
}
