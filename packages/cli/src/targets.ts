// What users name: articles by id or URL, principals by id or username.
import type { Context } from './context.ts';
import { misuse } from './failures.ts';
import { isId } from './id.ts';
import { shownAddress } from './profiles/account.ts';

const idInPath = /([0-9A-HJKMNP-TV-Z]{26})(?=\/?$)/;

/** Returns an id as it is. @throws Failure for anything else */
export function idOf(text: string, what: string): string {
  if (isId(text)) return text;
  throw misuse(`"${text}" is not the id of ${what}.`, 'An id has 26 digits and capital letters.');
}

/** Returns the id of an article for its id or URL. @throws Failure for an article of another service */
export async function articleId(context: Context, text: string): Promise<string> {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return idOf(text, 'an article');
  const { url } = await context.account();
  const { origin, pathname } = new URL(text);
  if (URL.canParse(url) && new URL(url).origin !== origin) {
    throw misuse(
      `${text} is not on the service in use, ${shownAddress(url)}.`,
      `Read it from its own service: --url ${origin}`,
    );
  }
  return idOf(idInPath.exec(pathname)?.[1] ?? text, 'an article');
}

/** Returns the id of a principal for its id or username, with or without @. */
export async function principalId(context: Context, text: string): Promise<string> {
  if (isId(text)) return text;
  const client = await context.client();
  return (await client.readUsername({ username: text.replace(/^@/, '') })).id;
}

/** Returns the id of the caller. */
export async function ownId(context: Context): Promise<string> {
  return (await (await context.client()).readMe()).principal.id;
}
