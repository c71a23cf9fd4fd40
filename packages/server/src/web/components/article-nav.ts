// The places of one's own article: the editor, the preview, publishing, the history, taking back.
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Site } from '../site.ts';

const ofAuthor = {
  '': 'Edit',
  '/preview': 'Preview',
  '/publish': 'Publish',
  '/history': 'History',
  '/remove': 'Take it back',
} as const;

export type ArticlePage = Exclude<keyof typeof ofAuthor, ''>;

/** Links to the other pages of one's own article. */
export function articleNav(site: Site, id: string, current: ArticlePage): Html {
  const items = Object.entries(ofAuthor).map(
    ([ending, label]) =>
      html`<li><a href="${site.at(`/write/${id}${ending}`)}"${ending === current && html` aria-current="page"`}>${label}</a></li>`,
  );
  return html`<nav aria-label="This article"><ul class="tabs">${items}</ul></nav>`;
}
