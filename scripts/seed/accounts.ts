// The accounts that publish: opened or registered, with their articles and remaining allowances.
import { randomBytes } from 'node:crypto';
import { isProblem } from '@colophon/sdk';
import type { BodyAnswer, Client } from '@colophon/sdk';
import { readKept, writeKept } from './kept-tokens.ts';
import type { KeptAccount } from './kept-tokens.ts';

export interface Published {
  readonly id: string;
  readonly isPublished: boolean;
}

export interface Account {
  readonly username: string;
  readonly client: Client;
  /** Its articles by their seed_key. */
  readonly holdings: ReadonlyMap<string, Published>;
  /** The number of articles that it may still create and publish today. */
  left: number;
}

export interface Setting {
  readonly baseUrl: string;
  readonly file: string;
  /** Use only this account and register none. */
  readonly token: string | undefined;
  readonly connect: (token?: string) => Client;
}

export interface Accounts {
  readonly all: readonly Account[];
  /** Reserves part of today's allowance; registers another account when all are used up. */
  readonly reserve: () => Promise<Account | undefined>;
  /** Why there is no further account, after `reserve` returned none. */
  readonly refusal: () => string | undefined;
}

type Meta = BodyAnswer<'readMeta'>;

/** Returns what a trust level may publish in a day; without rates nothing is counted. */
function allowanceOf(meta: Meta, level: number): number {
  if (meta.rates === null) return Infinity;
  const limitOf = (action: string) => meta.quotas[action]?.limits[level] ?? Infinity;
  return Math.min(limitOf('articles.create'), limitOf('articles.publish'));
}

function isToday(timestamp: string | null): boolean {
  return timestamp !== null && timestamp.slice(0, 10) === new Date().toISOString().slice(0, 10);
}

/** Reads an account and its articles. Drafts of an interrupted run count towards the allowance. */
async function openAccount(client: Client, meta: Meta): Promise<Account> {
  const { principal } = await client.readMe();
  const holdings = new Map<string, Published>();
  let used = 0;
  for await (const article of client.each.listArticles({ author: principal.id, limit: 100 })) {
    const key = article.metadata['seed_key'];
    const isPublished = article.status === 'published';
    if (isToday(article.created_at) || isToday(article.published_at) || article.status === 'draft')
      used += 1;
    if (typeof key === 'string') holdings.set(key, { id: article.id, isPublished });
  }
  const left = allowanceOf(meta, principal.trust_level) - used;
  return { username: principal.username, client, holdings, left };
}

/** Accounts that the server does not know are left out: its database is another one. */
async function openKept(
  setting: Setting,
  meta: Meta,
): Promise<{ kept: KeptAccount[]; all: Account[] }> {
  const kept: KeptAccount[] = [];
  const all: Account[] = [];
  for (const one of await readKept(setting.file, setting.baseUrl)) {
    try {
      all.push(await openAccount(setting.connect(one.token), meta));
      kept.push(one);
    } catch (error) {
      if (!isProblem(error, 'unauthenticated')) throw error;
    }
  }
  return { kept, all };
}

/** Registers `seed-1`, `seed-2`, …; a name that is taken gets a unique suffix. */
async function register(anyone: Client, number: number) {
  const username = `seed-${number}`;
  try {
    return await anyone.registerHuman({ username, display_name: `Seed account ${number}` });
  } catch (error) {
    if (!isProblem(error, 'conflict')) throw error;
    return anyone.registerHuman({ username: `${username}-${randomBytes(3).toString('hex')}` });
  }
}

/** Opens the accounts of earlier runs, or the one whose token was given. */
export async function openAccounts(setting: Setting, meta: Meta): Promise<Accounts> {
  const { token } = setting;
  const { kept, all } =
    token === undefined
      ? await openKept(setting, meta)
      : { kept: [], all: [await openAccount(setting.connect(token), meta)] };
  let refusal =
    token === undefined
      ? undefined
      : 'The daily allowance of the account of COLOPHON_TOKEN is used up.';

  const addAccount = async (): Promise<void> => {
    try {
      const { id, username, token: fresh } = await register(setting.connect(), all.length + 1);
      kept.push({ username, id, token: fresh });
      await writeKept(setting.file, setting.baseUrl, kept);
      all.push(await openAccount(setting.connect(fresh), meta));
    } catch (error) {
      if (!isProblem(error) || error.problem.name === 'unavailable') throw error;
      refusal = `No more accounts can be registered: ${error.problem.detail ?? error.problem.title}`;
    }
  };

  let adding: Promise<void> | undefined;
  const reserve = async (): Promise<Account | undefined> => {
    for (;;) {
      const account = all.find(({ left }) => left > 0);
      if (account !== undefined) {
        account.left -= 1;
        return account;
      }
      if (refusal !== undefined) return undefined;
      adding ??= addAccount().finally(() => {
        adding = undefined;
      });
      await adding;
    }
  };
  return { all, reserve, refusal: () => refusal };
}
