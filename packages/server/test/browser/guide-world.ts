// What the pictures of the guides show: a reported article and its author, a desk with work, a signed article.
import { ordinaryScopes, scopes } from '@colophon/contract';
import { storeToken } from '#test/accounts';
import { sendAppeal } from '#test/appeals';
import { comment } from '#test/comments';
import type { Human, TestServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { register } from '#test/registered-keys';
import { report } from '#test/reports';
import { publish, revise, signatureOf, signedArticle } from '#test/signed-articles';
import type { Draft } from '#test/signed-articles';
import { freshKeyPair } from '#test/key-pairs';
import type { People, Person } from './people.ts';

export interface PictureWorld {
  readonly moderator: Person;
  readonly author: Person;
  /** Paths. */
  readonly desk: string;
  readonly report: string;
  readonly decision: string;
  readonly signed: string;
  readonly changes: string;
}

async function accountOf(server: TestServer, { username }: Person): Promise<Human> {
  const { body } = await server.ask('GET', `/v1/usernames/${username}`);
  return { id: body.id, username, token: await storeToken(server, body.id, scopes) };
}

const moss = (
  water: string,
) => `Moss has no roots. It drinks through its leaves, and so it needs ${water}.

## Where it grows

On the north side of a wall, on old roofs, between the stones of a path. A garden of moss is older than most gardens of flowers.

## How to begin

Take a handful from a wall that is going to be cleaned, and press it on damp soil. Keep it wet for three weeks.
`;

/** An agent publishes a signed article, and a second revision of it. */
async function sign(server: TestServer, owner: Human) {
  const asked = { token: owner.token, key: true } as const;
  const body = { username: 'moss-notes', model: 'example-large', provider: 'Example' };
  const { body: made } = await server.ask('POST', '/v1/agents', { ...asked, body });
  const token = await storeToken(server, made.principal_id, ordinaryScopes);
  const agent = { id: made.principal_id, username: body.username, token };
  const pair = freshKeyPair();
  const { body: key } = await register(server, agent, pair);
  const signer = { ...agent, owner, pair, keyId: key.id };
  const first = await signedArticle(server, signer, {
    title: 'How moss drinks',
    content: moss('shade and water'),
    authorship_disclosure: 'ai_generated',
  });
  const second = await revise(server, signer, first as Draft, moss('shade, clean rain and time'));
  const signature = signatureOf(signer, second.signing_input);
  const { body: published } = await publish(server, signer, first.id, {
    body: { revision_id: second.revision_id, ...signature },
  });
  const path = new URL(published.url).pathname;
  const pair2 = `from=${first.revision_id}&to=${second.revision_id}`;
  return { signed: path, changes: `${path}/revisions?${pair2}&view=sides` };
}

/** Decisions of earlier weeks, for the ledger: each on an article of its own. */
async function decideBefore(server: TestServer, by: Human): Promise<void> {
  const kinds = [
    ['hide', 'spam'],
    ['remove', 'copyright'],
    ['warn', 'abuse'],
    ['de-index', 'manipulation'],
    ['hide', 'undisclosed_ai'],
  ] as const;
  const writer = await server.register();
  for (const [action, reason_code] of kinds) {
    const { id } = await server.published(writer, { title: 'An article', content: 'A text.' });
    const input = { target_type: 'article', target_id: id, action, reason_code } as const;
    const { id: done } = await act(server, by, input);
    if (action === 'remove') await sendAppeal(server, writer, done, 'I wrote it.');
  }
}

/** An advertisement with three reports, and two other things that were reported. */
async function fileReports(
  server: TestServer,
  author: Human,
): Promise<{ readonly id: string; readonly first: string }> {
  const content =
    'Granite, slate and sandstone, straight from the quarry.\n\n**Only this week: half price!** Order at [our shop](https://shop.example).';
  const { id } = await server.published(author, { title: 'Stones for every garden', content });
  const on = { target_type: 'article', target_id: id } as const;
  const details =
    'The whole article is an advertisement, and the same text is on three other pages.';
  const first = await report(server, { ...on, details, reporter_contact: 'reader@example.org' });
  const neighbour = await server.register('lena-reads');
  await report(server, { ...on, details: 'It sells stones.' }, neighbour);
  await report(server, { ...on, category: 'other', details: 'No word on where they are from.' });
  const said = await comment(server, neighbour, id, { content: 'You are all fools who buy this.' });
  await report(server, { target_type: 'comment', target_id: said.id, category: 'abuse' });
  const { id: other } = await server.published(neighbour, {
    title: 'A poem that I found',
    content: 'Two roads diverged in a yellow wood.',
  });
  await report(server, {
    target_type: 'article',
    target_id: other,
    category: 'copyright',
    details: 'This poem is in a book of 1916 by somebody else.',
  });
  return { id, first };
}

/** Makes the world of the pictures. */
export async function pictureWorld(people: People): Promise<PictureWorld> {
  const { server } = people;
  const [moderator, author] = [await people.join('ines-moderates'), await people.join('tom-stone')];
  await accountOf(server, moderator);
  const writer = await accountOf(server, author);
  const colleague = await aModerator(server);
  await decideBefore(server, colleague);
  const { first } = await fileReports(server, writer);
  const { id: hidden } = await server.published(writer, {
    title: 'Buy slate now',
    content: 'Slate for roofs and paths. **Order today**, and pay half.',
  });
  const decision = await act(server, colleague, {
    target_type: 'article',
    target_id: hidden,
    action: 'hide',
    reason_text: 'Take the prices out, and it can come back.',
  });
  const owner = await server.register('ada-gardens');
  return {
    moderator,
    author,
    desk: '/moderation',
    report: `/moderation/reports/${first}`,
    decision: `/decisions/${decision.id}`,
    ...(await sign(server, owner)),
  };
}
