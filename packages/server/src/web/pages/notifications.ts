// `/notifications`: what happened to a person, newest first, grouped by article.
import type { EventType } from '@colophon/contract';
import { pageTitle, pager, when } from '../components/components.ts';
import { pageForm } from '../components/forms.ts';
import { notificationLine } from '../components/notification.ts';
import { unreadOf } from '../components/page-frame.ts';
import { tabs } from '../components/tabs.ts';
import { queryValue } from '../context.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { signInFirst } from '../next-path.ts';
import { pageResponse } from '../page-response.ts';
import type { Notification } from '../page-services.ts';
import { withQuery } from '../site.ts';
import type { Site } from '../site.ts';

interface Kind {
  readonly label: string;
  readonly types: readonly EventType[] | undefined;
  readonly empty: string;
  /** What to do next where there is nothing: a path, and its words. */
  readonly next: readonly [path: string, words: string];
}

const ownArticles = ['/articles', 'Your articles'] as const;

const everything: Kind = {
  label: 'All',
  types: undefined,
  empty: 'No notifications yet. They appear here when somebody answers, links to or follows you.',
  next: ['/write', 'Write an article'],
};

const kinds: Readonly<Record<string, Kind>> = {
  all: everything,
  comments: {
    label: 'Comments',
    types: ['comment.created', 'reply.created'],
    empty: 'No one has commented yet.',
    next: ownArticles,
  },
  links: {
    label: 'Links',
    types: ['edge.created', 'citation.changed'],
    empty: 'No article links to yours yet.',
    next: ownArticles,
  },
  followers: {
    label: 'Followers',
    types: ['follow.created'],
    empty: 'No one follows you yet. Your profile is what people see first.',
    next: ['/settings', 'Edit your profile'],
  },
  moderation: {
    label: 'Moderation',
    types: ['moderation.action', 'report.resolved', 'appeal.resolved'],
    empty: 'No moderator has acted on your work or your reports.',
    next: ['/docs/moderation', 'How moderation works'],
  },
  account: {
    label: 'Account',
    types: ['token.issued', 'key.registered'],
    empty: 'No token or key of yours was added by somebody else.',
    next: ['/settings/tokens', 'Your tokens'],
  },
};

interface Group {
  readonly key: string;
  readonly article: Notification['article'];
  readonly items: readonly Notification[];
}

/** Returns the notifications in groups by article; all others are each one by itself. */
function groupByArticle(items: readonly Notification[]): readonly Group[] {
  const groups = Map.groupBy(items, ({ id, article }) => article?.id ?? id);
  return Array.from(groups, ([key, [first, ...rest]]) => ({
    key,
    article: first?.article ?? null,
    items: first === undefined ? [] : [first, ...rest],
  }));
}

function row(site: Site, item: Notification): Html {
  return html`<li class="notification" id="n-${item.id}">
${item.unread && html`<span class="dot"><span class="hidden">Unread: </span></span>`}${notificationLine(site, item)} <span class="small">${when(item.created_at)}</span>
</li>`;
}

function group(site: Site, { key, article, items }: Group): Html {
  const rows = html`<ul class="plain">${items.map((item) => row(site, item))}</ul>`;
  if (article === null) return html`<li class="group" id="g-${key}" tabindex="-1">${rows}</li>`;
  const title = article.title?.trim() || 'Untitled';
  const heading =
    article.url === null
      ? 'An article that was removed'
      : html`<a href="${article.url}">${title}</a>`;
  return html`<li class="group" id="g-${key}" tabindex="-1"><h2 dir="auto">${heading}</h2>${rows}</li>`;
}

function kindTabs(site: Site, current: string): Html {
  const list = Object.entries(kinds).map(([key, { label }]) => {
    const kind = key === 'all' ? undefined : key;
    const path = site.at(withQuery('/notifications', { kind }));
    return { path, label, isCurrent: key === current };
  });
  return tabs('Kinds of notifications', list);
}

/**
 * Only on the newest page of all kinds: an event marks everything before it too, and that must have been there
 * to see. The script takes the event from here, when the page has been seen and shows all that is unread.
 */
function readButton(
  { site, caller }: PageContext,
  asked: PageRequest,
  items: readonly Notification[],
): Content {
  const { unread, newest } = unreadOf(caller);
  if (unread === 0) return null;
  const isAllShown = items.filter((item) => item.unread).length >= unread;
  return pageForm(
    { site, asked },
    { name: 'read', path: '/notifications', kind: 'act' },
    html`<input type="hidden" name="event_id" value="${newest}"><button class="quiet" id="mark-read"${isAllShown && html` data-all-shown`}>Mark all as read</button>`,
  );
}

/** Links to older notifications, and back to the newest. */
function ways(
  site: Site,
  kind: string | undefined,
  { before, next }: { readonly before: string | undefined; readonly next: string | null },
): Content {
  const at = (cursor?: string) => site.at(withQuery('/notifications', { kind, cursor }));
  return pager({
    next: next === null ? undefined : at(next),
    nextLabel: 'Older notifications',
    first: before === undefined ? undefined : at(),
    firstLabel: 'Newest notifications',
  });
}

function emptyList(site: Site, { empty, next: [path, words] }: Kind): Html {
  return html`<div class="empty"><p>${empty}</p>
<p><a href="${site.at(path)}">${words}</a></p></div>`;
}

function list(site: Site, items: readonly Notification[], empty: Content): Content {
  if (items.length === 0) return empty;
  return html`<ol class="groups" role="list">${groupByArticle(items).map((one) => group(site, one))}</ol>`;
}

function keysHint(canMark: boolean): Html {
  return html`<p class="small keys">With a keyboard: <kbd>j</kbd> and <kbd>k</kbd> go to the next and the previous one, <kbd>Enter</kbd> opens it${canMark && html`, <kbd>e</kbd> marks all as read`}.</p>`;
}

/** Returns which list is asked for; `key` is undefined for the one of all kinds. */
function listAsked(asked: PageRequest) {
  const named = queryValue(asked, 'kind') ?? 'all';
  const kind = kinds[Object.hasOwn(kinds, named) ? named : 'all'] ?? everything;
  const key = kind === everything ? undefined : named;
  const before = queryValue(asked, 'cursor');
  return { kind, key, before, isNewestOfAll: key === undefined && before === undefined };
}

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showNotifications(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, caller } = web;
  if (caller === null) return signInFirst(asked);
  const { kind, key, before, isNewestOfAll } = listAsked(asked);
  const read = await web.notifications(caller, { before, types: kind.types });
  const main = html`<header class="intro">
<h1 id="notifications">Notifications</h1>
${kindTabs(site, key ?? 'all')}
${isNewestOfAll && readButton(web, asked, read.items)}
</header>
${list(site, read.items, before === undefined ? emptyList(site, kind) : html`<p class="empty">No older notifications.</p>`)}
${ways(site, key, { before, next: read.next_cursor })}
${read.items.length > 0 && keysHint(isNewestOfAll)}`;
  const title = key === undefined ? 'Notifications' : `Notifications: ${kind.label}`;
  const page = {
    title: pageTitle(title, before, read.items[0]?.created_at),
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'notifications' as const,
    script: web.scripts.notifications,
  };
  return pageResponse(web, page, false);
}
