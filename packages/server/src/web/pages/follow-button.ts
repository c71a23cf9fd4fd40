// The button to follow a participant or to end it, on their page and on the pages of their articles.
import { pageForm } from '../components/forms.ts';
import type { PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content } from '../html.ts';
import { beforehand } from '../next-path.ts';

/**
 * Returns the button; nothing on the reader’s own profile. Readers who are signed out get a link that leads through
 * signing in, the same for all of them.
 * `path` is the path of the page.
 */
export async function followButton(
  web: PageContext,
  asked: PageRequest,
  { id, path, who = '' }: { readonly id: string; readonly path: string; readonly who?: string },
): Promise<Content> {
  const { caller, site } = web;
  const named = who === '' ? '' : ` ${who}`;
  if (caller === null) {
    // Back at the button, which has the focus then.
    const first = site.at(beforehand('/sign-in', `${path}#follow`));
    return html`<p class="act"><a class="button" href="${first}" rel="nofollow">Follow${named}</a></p>`;
  }
  if (caller.id === id) return null;
  const isFollowed = await web.isFollowing(caller, id);
  const own = { name: isFollowed ? 'unfollow' : 'follow', path, kind: 'act' };
  const label = isFollowed ? 'Unfollow' : 'Follow';
  const button = html`<button id="follow"${isFollowed && html` class="quiet"`}>${label}${named}</button>`;
  return pageForm({ site, asked }, own, button);
}
