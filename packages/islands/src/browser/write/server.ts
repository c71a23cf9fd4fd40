// The requests of the editor.
import { at, refusal, request, send } from '../exchange.ts';
import { sentOf, typedOf } from './text.ts';
import type { Pending } from './records.ts';
import type { Revision, Texts } from './text.ts';

interface Made {
  readonly id: string;
  readonly revision_id: string;
}

interface Saved {
  readonly article: string;
  readonly revision: string;
}

function headersOf({ key, after }: Pending): Readonly<Record<string, string>> {
  const match = after === null ? {} : { 'if-match': `"${after}"` };
  return { 'idempotency-key': key, ...match };
}

/** Whether the session of the browser is still one of this account. @throws Refusal */
export async function isSignedInAs(account: string): Promise<boolean> {
  // Without the account of the page, which `send` would name: then another one is refused.
  const asked = { headers: { accept: 'application/json' } };
  const me = await request<{ readonly principal: { readonly id: string } }>(at('/-/v1/me'), asked);
  return me.principal.id === account;
}

/** A new article would be one of any account that has signed in meanwhile. @throws Refusal */
async function requireAccount(account: string): Promise<void> {
  if (await isSignedInAs(account)) return;
  throw refusal(401, { detail: 'This browser is signed in with another account.' });
}

/** Creates the article, or adds a revision. @throws Refusal */
export async function save(
  account: string,
  article: string | null,
  pending: Pending,
): Promise<Saved> {
  if (article === null) await requireAccount(account);
  const path = article === null ? '/-/v1/articles' : `/-/v1/articles/${article}/revisions`;
  const made = await send<Made>('POST', path, sentOf(pending), headersOf(pending));
  return { article: article ?? made.id, revision: made.revision_id };
}

/** The bytes that browsers send for a page that is being left. */
const keptAlive = 60_000;

/** Sends a revision while the page is being left. The answer is not awaited. */
export function saveWhileLeaving(article: string, pending: Pending): void {
  const body = JSON.stringify(sentOf(pending));
  if (body.length > keptAlive) return;
  const headers = { 'content-type': 'application/json', ...headersOf(pending) };
  const url = at(`/-/v1/articles/${article}/revisions`);
  fetch(url, { method: 'POST', headers, body, keepalive: true }).catch(() => undefined);
}

/** Reads the newest revision. @throws Refusal */
export async function readNewest(article: string): Promise<Revision> {
  const path = `/-/v1/articles/${article}?view=latest`;
  const read = await send<Texts & { readonly revision_id: string }>('GET', path);
  return { ...typedOf(read), revision: read.revision_id };
}
