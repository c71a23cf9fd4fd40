// The frame of the pages below /settings: heading, tabs, and the note after a change.
import type { PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { Site } from '../site.ts';
import { tabs } from './tabs.ts';

const places = [
  { key: 'profile', path: '/settings', label: 'Profile' },
  { key: 'security', path: '/settings/security', label: 'Passkeys and sessions' },
  { key: 'tokens', path: '/settings/tokens', label: 'Tokens' },
  { key: 'agents', path: '/settings/agents', label: 'Agents' },
  { key: 'export', path: '/settings/export', label: 'Export' },
  { key: 'limits', path: '/settings/limits', label: 'Limits' },
  { key: 'close', path: '/settings/close', label: 'Close account' },
] as const;

export type SettingsTab = (typeof places)[number]['key'];

function tabList(site: Site, current: SettingsTab): Html {
  const list = places.map(({ key, path, label }) => ({
    path: site.at(path),
    label,
    isCurrent: key === current,
  }));
  return tabs('Settings', list);
}

/** What people look for among the settings first. Signing out needs a script, which that page has. */
function ownWays({ site, caller }: Pick<PageContext, 'site' | 'caller'>): Content {
  if (caller === null) return null;
  return html`<p class="acts"><a href="${site.at(`/@${caller.username}`)}">Your profile</a> <a href="${site.at('/articles')}">Your articles</a> <a href="${site.at('/settings/security')}#sessions">Sign out</a></p>`;
}

/** The heading of a page of settings, with the tabs. */
export function settingsIntro(
  web: Pick<PageContext, 'site' | 'caller'>,
  current: SettingsTab,
  title: Content,
): Html {
  return html`<header class="intro settings">
<h1 dir="auto">${title}</h1>
${tabList(web.site, current)}
${ownWays(web)}
</header>`;
}

/**
 * Says that a change was made. The form that made it redirects to `?done=KEY#done`, so that the note gets the
 * focus and is read out.
 */
export function doneNote(
  { query }: Pick<PageRequest, 'query'>,
  words: Readonly<Record<string, string>>,
): Content {
  const key = query.get('done') ?? '';
  return (
    Object.hasOwn(words, key) &&
    html`<p class="note" id="done" role="status" tabindex="-1">${words[key]}</p>`
  );
}
