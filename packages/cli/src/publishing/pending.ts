// What is about to be created: recorded before the request, so that a crash leads to a replay and not to a second article.
import { createHash } from 'node:crypto';
import { realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { InputOf } from '@colophon/sdk';
import type { Context } from '../context.ts';
import { isObject, parseJson, toJson } from '../json.ts';
import { createPrivate, readPrivate } from '../profiles/private-file.ts';
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
  /** Records a creation. Returns false if another one is recorded: of several programs at once, one may create. */
  record(creation: Creation): Promise<boolean>;
  /** Removes the record of this creation; that of another program stays. */
  remove(creation: Creation): Promise<void>;
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
  const read = async () => {
    const text = await readPrivate(file);
    const creation = parseJson(text ?? '');
    if (isCreation(creation)) return creation;
    // A damaged record would stand in the way of every other one.
    if (text !== undefined) await rm(file, { force: true });
    return undefined;
  };
  return {
    read,
    record: (creation) => createPrivate(file, `${toJson(creation)}\n`),
    remove: async ({ key }) => {
      if ((await read())?.key === key) await rm(file, { force: true });
    },
  };
}
