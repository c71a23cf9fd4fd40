// `/moderation/standing?ids=`: who works on the reports that a page shows, for the script of the desk.
import { isId } from '#lib/id';
import { upTo } from '../components/desk.ts';
import { reportStatusWords } from '../components/moderation-words.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { visibleText } from '@colophon/text/lib/visible-text';
import { openDesk } from './desk-entry.ts';

const idsMax = 100;

/**
 * Returns the states as JSON, or 304 if nothing changed. It reads no text of a participant, so that asking often records
 * nothing, and its cost does not depend on the length of the queue.
 */
export async function showStanding(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const entry = await openDesk(web, asked);
  if ('answer' in entry) return entry.answer;
  const { reads, caller } = entry.desk;
  const ids = (queryValue(asked, 'ids') ?? '').split(',').filter(isId).slice(0, idsMax);
  const [states, open] = await Promise.all([reads.reportStates(ids), reads.openCount()]);
  const accounts = await reads.accounts(states.map(({ claimed_by }) => claimed_by));
  const items = states.map(({ id, status, claimed_by: by }) => {
    const name = by === null ? '' : ` by @${visibleText(accounts.get(by)?.username ?? '')}`;
    return { id, status, mine: by === caller.id, words: `${reportStatusWords[status]}${name}` };
  });
  return {
    contentType: 'application/json; charset=utf-8',
    text: JSON.stringify({ open: upTo(open), items }),
    shared: false,
    polled: true,
    noindex: true,
  };
}
