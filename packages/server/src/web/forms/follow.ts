// Follows a participant, or ends it, from their page and from the pages of their articles.
import { isProblem } from '#http';
import type { PageContext } from '../context.ts';
import { pathOf } from '../components/components.ts';
import { articleOf } from './article-of.ts';
import { callerOf } from './form.ts';
import type { Form, SentForm } from './form.ts';

/** Who is followed from a page, and the path of the page. */
interface Followee {
  readonly id: string;
  readonly path: string;
}

type FindFollowee = (web: PageContext, sent: SentForm) => Promise<Followee>;

const onProfile: FindFollowee = async ({ invoke }, { asked }) => {
  const { username = '' } = asked.params;
  const { body } = await invoke('readUsername', { caller: null, params: { username } });
  return { id: body.id, path: `/@${body.username}` };
};

const onArticle: FindFollowee = async (web, sent) => {
  const article = await articleOf(web, sent);
  return { id: article.author.id, path: pathOf(web.site, article) };
};

const follow = (find: FindFollowee): Form => ({
  operation: 'follow',
  send: async (web, sent) => {
    const { id, path } = await find(web, sent);
    const caller = callerOf(sent);
    await web.invoke('follow', { caller, params: {}, body: { principal_id: id } });
    return `${path}#follow`;
  },
});

const unfollow = (find: FindFollowee): Form => ({
  operation: 'unfollow',
  send: async (web, sent) => {
    const { id, path } = await find(web, sent);
    try {
      await web.invoke('unfollow', { caller: callerOf(sent), params: { followeeId: id } });
    } catch (error) {
      // Already ended, by a double click or in another tab.
      if (!isProblem(error) || error.problem !== 'not-found') throw error;
    }
    return `${path}#follow`;
  },
});

/** The forms of a participant's page. */
export const profileFollowing = { follow: follow(onProfile), unfollow: unfollow(onProfile) };

/** The forms of an article's page, which follow its author. */
export const articleFollowing = { follow: follow(onArticle), unfollow: unfollow(onArticle) };
