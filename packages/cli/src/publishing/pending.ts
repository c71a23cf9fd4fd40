// What is about to be created: recorded before the request, so that a crash leads to a replay and not to a second article.
import { createHash } from 'node:crypto';
import { realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { InputOf } from '@colophon/sdk';
import type { Context } from '../context.ts';
import { isObject, parseJson, toJson } from '../json.ts';
import { readPrivate, writePrivate } from '../profiles/private-file.ts';
import { stateFolder } from '../profiles/profiles.ts';
import { ownId } from '../targets.ts';

export interface Creation {
  readonly key: string;
  readonly input: InputOf<'createArticle'>;
  readonly started_at: string;
}

/** The record of one file, account and service. */
export interface Pending {
  read(): Promise<Creation | undefined>;
  write(creation: Creation): Promise<void>;
  remove(): Promise<void>;
}

function isCreation(value: unknown): value is Creation {
  return isObject(value) && typeof value['key'] === 'string' && isObject(value['input']);
}

/** Opens the record of a file. */
export async function openPending(context: Context, name: string): Promise<Pending> {
  const { env, folder } = context.terminal;
  const { url } = await context.account();
  const place = [url, await ownId(context), await realpath(resolve(folder, name))].join('\n');
  const file = join(
    stateFolder(env),
    'creations',
    `${createHash('sha256').update(place).digest('hex')}.json`,
  );
  return {
    read: async () => {
      const creation = parseJson((await readPrivate(file)) ?? '');
      return isCreation(creation) ? creation : undefined;
    },
    write: (creation) => writePrivate(file, `${toJson(creation)}\n`),
    remove: () => rm(file, { force: true }),
  };
}
