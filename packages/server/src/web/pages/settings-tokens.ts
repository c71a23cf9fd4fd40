// `/settings/tokens`: the person’s own tokens; issue one, revoke one.
import { pageTitle, pager } from '../components/components.ts';
import { doneNote, settingsIntro } from '../components/settings.ts';
import { issuedToken, issueForm, tokenList } from '../components/tokens.ts';
import type { PageAnswer, PageContext, PageRequest } from '../context.ts';
import { queryValue } from '../context.ts';
import { html } from '../html.ts';
import { signInFirst } from '../next-path.ts';
import { settingsResponse } from '../page-response.ts';
import { withQuery } from '../site.ts';
import { ownAgents } from './own-agents.ts';

const path = '/settings/tokens';
/** The agents to choose from, the newest. The page of each agent issues tokens too. */
const agentsMax = 100;

/** Shows the page; without a session, the reader is asked to sign in. */
export async function showTokens(web: PageContext, asked: PageRequest): Promise<PageAnswer> {
  const { site, invoke, caller } = web;
  if (caller === null) return signInFirst(asked);
  const cursor = queryValue(asked, 'cursor');
  const query = cursor === undefined ? {} : { cursor };
  const [{ body }, agents] = await Promise.all([
    invoke('listTokens', { caller, params: {}, query }),
    ownAgents(web, agentsMax),
  ]);
  const { id, kind, scopes } = caller;
  const holder = { id, kind, path, scopes, agents };
  const place = { site, asked };
  const main = html`${settingsIntro(web, 'tokens', 'Tokens')}
${doneNote(asked, { revoked: 'The token is revoked.' })}
${asked.issued !== undefined && issuedToken(asked.issued)}
<section aria-labelledby="tokens">
<h2 id="tokens">Your tokens</h2>
<p>With a token a program acts for you through the <a href="${site.at('/docs')}">API</a>. Give each program a token of its own.</p>
${issueForm(place, holder)}
${tokenList(place, body, holder)}
${pager({
  next:
    body.next_cursor === null ? undefined : site.at(withQuery(path, { cursor: body.next_cursor })),
  nextLabel: 'Older tokens',
  first: cursor === undefined ? undefined : site.at(path),
  firstLabel: 'Newest tokens',
})}
</section>`;
  return settingsResponse(web, { title: pageTitle('Tokens', cursor), main });
}
