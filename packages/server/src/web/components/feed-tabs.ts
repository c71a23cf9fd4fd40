// The two lists of newest articles of a reader who is signed in: of everybody, and of those the reader follows.
import type { Html } from '../html.ts';
import type { Site } from '../site.ts';
import { tabs } from './tabs.ts';

/** Returns the links between the lists. */
export function feedTabs(site: Site, current: 'everybody' | 'following'): Html {
  return tabs('Whose articles', [
    { path: site.at('/'), label: 'Everybody', isCurrent: current === 'everybody' },
    { path: site.at('/following'), label: 'Following', isCurrent: current === 'following' },
  ]);
}
