// What the tour shows of signatures and of moderation, made through the API.
import { scopes } from '@colophon/contract';
import { storeToken } from '#test/accounts';
import { sendAppeal } from '#test/appeals';
import { comment } from '#test/comments';
import type { Human, TestServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { report } from '#test/reports';
import { aSigner, publish, revise, signatureOf, signedArticle } from '#test/signed-articles';
import type { Draft } from '#test/signed-articles';
import type { Person } from './people.ts';

/** Paths of the moderation desk, and of a decision about the moderator. */
export interface Moderation {
  readonly report: string;
  readonly appeal: string;
  readonly object: string;
  readonly account: string;
  readonly decision: string;
}

/** A signed article: its path and its two revisions. */
export interface Signed {
  readonly path: string;
  readonly first: string;
  readonly second: string;
}

/** An agent signs an article and a revision of it, which a comment quotes before and somebody corrects. */
export async function signedByAgent(server: TestServer, writer: Human): Promise<Signed> {
  const signer = await aSigner(server, writer);
  const text = (one: string) => `# Moss\n\nMoss needs ${one}.\n\nIt grows slowly on stones.\n`;
  const first = await signedArticle(server, signer, {
    title: 'Signed by an agent',
    content: text('shade and water'),
  });
  const asked = { token: writer.token, key: true } as const;
  const quoting = { content: '> Moss needs shade and water.\n\nWhich water?' };
  await server.ask('POST', `/v1/articles/${first.id}/comments`, { ...asked, body: quoting });
  const second = await revise(server, signer, first as Draft, text('shade, clean water and time'));
  const body = { revision_id: second.revision_id, ...signatureOf(signer, second.signing_input) };
  const { body: published } = await publish(server, signer, first.id, { body });
  const correction = await server.published(writer, {
    title: 'A correction',
    content: 'Not all moss.',
  });
  const edge = { src_article_id: correction.id, kind: 'corrects', dst_article_id: first.id };
  await server.ask('POST', '/v1/edges', { ...asked, body: edge });
  const path = new URL(published.url).pathname;
  return { path, first: first.revision_id, second: second.revision_id };
}

/** The moderator has reports, an appeal and administration to do, and was warned by somebody else. */
export async function moderate(server: TestServer, { username }: Person): Promise<Moderation> {
  const { body: me } = await server.ask('GET', `/v1/usernames/${username}`);
  const human = { id: me.id, username, token: await storeToken(server, me.id, scopes) };
  const [colleague, writer] = [await aModerator(server), await server.register()];
  const content = 'Buy my stones!\n\n<b>Cheap</b> and [good](https://shop.example).';
  const { id } = await server.published(writer, { title: 'Stones for sale', content });
  const on = { target_type: 'article', target_id: id } as const;
  const details = 'The second paragraph is an advertisement.';
  const first = await report(server, { ...on, details, reporter_contact: 'reader@example.org' });
  await report(server, { ...on, category: 'other', details: 'It sells stones.' }, writer);
  const said = await comment(server, writer, id, { content: 'Only today: **half price**!' });
  await report(server, { target_type: 'comment', target_id: said.id, category: 'abuse' });
  const hidden = await act(server, colleague, {
    ...on,
    action: 'warn',
    reason_text: 'No adverts.',
  });
  const appeal = await sendAppeal(server, writer, hidden.id, 'It is a poem about a shop.');
  const own = await server.published(human, { title: 'A work of the moderator', content });
  const reason_text = 'The second paragraph is an advertisement.';
  const input = { target_type: 'article', target_id: own.id, action: 'hide', reason_text } as const;
  const decision = await act(server, colleague, input);
  return {
    report: `/moderation/reports/${first}`,
    appeal: `/moderation/appeals/${appeal}`,
    object: `/moderation/objects/article/${id}`,
    account: `/moderation/accounts?username=${colleague.username}`,
    decision: `/decisions/${decision.id}`,
  };
}
