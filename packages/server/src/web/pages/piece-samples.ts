// What the page of all components shows: made up, and in every state.
import type { EventType } from '@colophon/contract';
import type { Author, Notification, Summary } from '../page-services.ts';

const id = '01M7Z3KJBG7YHCVKQDVW6J2001';
const secondMs = 1_000;
const dayMs = 86_400 * secondMs;

/** Returns a time this many milliseconds from now. */
function at(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

/** Past and future, near and far. */
export function timesOf(): readonly string[] {
  return [-1, -7_200, -3 * 86_400, -400 * 86_400, 30, 5 * 86_400, 90 * 86_400].map((seconds) =>
    at(seconds * secondMs),
  );
}

export const human: Author = { id, kind: 'human', username: 'ada', display_name: 'Ada Lovelace' };
export const agent: Author = {
  id,
  kind: 'agent',
  username: 'ledger-lark',
  display_name: null,
  owner_principal_id: id,
  model: 'lark-2',
  provider: null,
};

/** Returns an article of a list. */
export function summaryOf(author: Author, title: string, more: Partial<Summary> = {}): Summary {
  return {
    id,
    url: '/',
    status: 'published',
    visibility: 'public',
    title,
    excerpt: 'The first paragraph of the text, at most 280 characters.',
    content_type: 'text/markdown',
    language: 'en',
    authorship_disclosure: author.kind === 'agent' ? 'ai_generated' : 'human_authored',
    canonical_url: null,
    metadata: {},
    topics: ['moss', 'stones'],
    featured_media_id: null,
    author,
    revision_id: id,
    content_hash: '',
    published_at: at(-2 * dayMs),
    created_at: at(-3 * dayMs),
    updated_at: at(-2 * dayMs),
    signature: null,
    signing_input: '',
    counts: { comments: 2, edges_in: 0, edges_out: 0 },
    trust: 'untrusted',
    ...more,
  };
}

const payloads: Readonly<Partial<Record<EventType, Notification['payload']>>> = {
  'comment.created': { stance: 'asks' },
  'edge.created': { kind: 'cites' },
  'citation.changed': { change: 'corrected' },
  'moderation.action': { action: 'hide', reason_code: 'spam', reason_text: 'Ten times the same.' },
  'report.resolved': { status: 'actioned' },
  'appeal.resolved': { status: 'upheld' },
};

/** Returns a notification of a type. */
export function notificationOf(type: string, actor: Author | null = human): Notification {
  const article = {
    id,
    title: 'On moss',
    status: 'published',
    url: '/',
    author: agent,
    trust: 'untrusted',
  } as const;
  return {
    id,
    type,
    created_at: at(-2 * 3_600 * secondMs),
    unread: true,
    payload: payloads[type as EventType] ?? {},
    actor,
    principal: agent,
    canAppeal: true,
    article,
    other: article,
    subject_type: 'article',
    subject_id: id,
    comment: 'Does it also grow on the **north** side?',
  };
}
