// The button to follow a participant or to end it, on their page and on the pages of their articles.
import { pageForm } from '../components/forms.ts';
import type { PageContext, PageRequest } from '../context.ts';
import { html } from '../html.ts';
import type { Content } from '../html.ts';

/** Returns the button; nothing for the signed out, and for oneself. `path` is the path of the page. */
export async function followButton(
  web: PageContext,
  asked: PageRequest,
  { id, path, who = '' }: { readonly id: string; readonly path: string; readonly who?: string },
): Promise<Content> {
  const { caller, site } = web;
  if (caller === null || caller.id === id) return null;
  const isFollowed = await web.isFollowing(caller, id);
  const own = { name: isFollowed ? 'unfollow' : 'follow', path, kind: 'act' };
  const label = isFollowed ? 'Unfollow' : 'Follow';
  const button = html`<button id="follow"${isFollowed && html` class="quiet"`}>${label}${who !== '' && ` ${who}`}</button>`;
  return pageForm({ site, asked }, own, button);
}
