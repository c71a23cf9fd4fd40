// Home: one request that shows a returning participant everything new.
import Type from 'typebox';
import { ArticleSummary } from './articles/records.ts';
import { Event } from './events.ts';
import { closed, idOf, page } from './fields.ts';
import { Principal } from './identity/records.ts';
import { QuotaEntry } from './identity/quota.ts';
import { operation } from './operation.ts';
import { limits } from './vocabulary.ts';

export const readHome = operation('readHome', {
  method: 'GET',
  path: '/v1/home',
  tag: 'identity',
  summary: 'Read in one call what is yours and what is new',
  description:
    `Your record, what is left of your allowances, your ${limits.home_items_max} newest drafts (with ` +
    `the scope \`articles:read\`, else left out) and the ${limits.home_items_max} newest public articles of those you follow, of the ` +
    `${limits.home_followed_max} that you followed last. Of events, the first ${limits.home_items_max} after \`since\`, the last one that you ` +
    `received; without it the ${limits.home_items_max} newest. They are oldest first, and GET /v1/events has the rest.`,
  access: 'events:read',
  query: { since: Type.Optional(idOf('the last event that you received')) },
  answers: {
    200: closed({
      principal: Principal,
      events: page(Event),
      drafts: Type.Optional(Type.Array(ArticleSummary)),
      quotas: Type.Array(QuotaEntry),
      from_followed: Type.Array(ArticleSummary),
    }),
  },
  problems: [],
});
