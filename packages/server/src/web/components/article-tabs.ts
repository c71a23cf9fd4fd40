// The parts of the list of the person's own articles, and what the list says after something was done.
import type { Html } from '../html.ts';
import { withQuery } from '../site.ts';
import { tabs } from './tabs.ts';
import type { Site } from '../site.ts';

/** What the list can be narrowed to, by the parameter `show`. */
export const articleParts = {
  all: { label: 'All', status: undefined, visibility: undefined },
  drafts: { label: 'Drafts', status: 'draft', visibility: undefined },
  published: { label: 'Published', status: 'published', visibility: 'public' },
  unlisted: { label: 'Unlisted', status: 'published', visibility: 'unlisted' },
  private: { label: 'Private', status: 'published', visibility: 'private' },
} as const;
export type ArticlePart = keyof typeof articleParts;

/** What the list says after something was done, by the parameter `done`. */
export const doneWords: Readonly<Record<string, string>> = {
  private:
    'The article is private now. Readers get “not found”. You can make it public again at any time.',
  deleted: 'The article is deleted. Its address says so to readers.',
  erased: 'The article is erased.',
};

/** Links to the parts of the list, and to the drafts of the person's agents. */
export function articleTabs(site: Site, current: ArticlePart | 'agents'): Html {
  const parts = Object.entries(articleParts).map(([key, { label }]) => ({
    path: site.at(withQuery('/articles', { show: key === 'all' ? undefined : key })),
    label,
    isCurrent: key === current,
  }));
  const agents = { path: site.at('/articles/agents'), label: 'By your agents' };
  return tabs('Your articles', [...parts, { ...agents, isCurrent: current === 'agents' }]);
}
