// Works of a recorded site: articles in every state that authors bring them to, files, comments, edges, follows.
import type { Body, Caller } from '../caller.ts';
import { pngOf } from '../../media-files.ts';
import { addKeys, signWith } from './people.ts';
import type { Key, People, Person } from './people.ts';

export interface Work {
  readonly id: string;
  readonly revision_id: string;
}

/** Only in what was erased: nothing may contain it afterwards. */
export const erasedWord = 'quixotrydrome';
/** In one public article. */
export const foundWord = 'bracken';

export async function draft(caller: Caller, by: Person, members: Body = {}): Promise<Body> {
  const body = { title: 'On moss', content: 'A *text* about moss.', language: 'en', ...members };
  return caller.post('/v1/articles', by.token, body);
}

export async function publish(
  caller: Caller,
  by: Person,
  { id, revision_id }: Body,
  members: Body = {},
): Promise<Work> {
  await caller.post(`/v1/articles/${id}/publish`, by.token, { revision_id, ...members });
  return { id, revision_id };
}

/** A published article with these members. */
export async function article(caller: Caller, by: Person, members: Body = {}): Promise<Work> {
  return publish(caller, by, await draft(caller, by, members));
}

export async function revise(
  caller: Caller,
  by: Person,
  work: Work,
  content: string,
): Promise<Body> {
  const body = { content, expected_revision_id: work.revision_id };
  const made = await caller.post(`/v1/articles/${work.id}/revisions`, by.token, body);
  return { ...made, id: work.id };
}

export async function publishSigned(
  caller: Caller,
  by: Person,
  key: Key,
  members: Body = {},
): Promise<Work> {
  const made = await draft(caller, by, { title: 'Signed', ...members });
  const signature = signWith(key.secret, made['signing_input']);
  return publish(caller, by, made, { signature, signature_key_id: key.id });
}

/** Puts bytes into the record; SVG is rejected. */
async function file(caller: Caller, by: Person, bytes: Buffer | null): Promise<string> {
  const alt_text = 'What is to be seen.';
  const { id } = await caller.post('/v1/media', by.token, { kind: 'image', alt_text });
  if (bytes !== null)
    await caller.ask('PUT', `/v1/media/${id}/content`, { token: by.token, bytes });
  return id;
}

export async function addFiles(caller: Caller, { ann }: People) {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const files = {
    featured: await file(caller, ann, pngOf(400, 2)),
    shown: await file(caller, ann, pngOf(3, 3)),
    hidden: await file(caller, ann, pngOf(5, 5)),
    removed: await file(caller, ann, pngOf(6, 6)),
    deleted: await file(caller, ann, pngOf(4, 4)),
    rejected: await file(caller, ann, svg),
    pending: await file(caller, ann, null),
  };
  await caller.done('DELETE', `/v1/media/${files.deleted}`, { token: ann.token });
  return files;
}

/** An article with four publications: the third one is the first revision again. */
async function addMain(caller: Caller, by: Person, shown: string): Promise<Work> {
  const first = await article(caller, by, {
    title: 'On ferns',
    content: `A *text* about ferns and ${foundWord}.\n\n![A picture](${shown})\n\n## Spores\n\nMany.`,
    metadata: { topics: ['Ferns', 'Botany'], shelf: { row: 3 } },
    canonical_url: 'https://example.org/ferns',
    authorship_disclosure: 'human_authored',
  });
  const second = await revise(caller, by, first, `A second *text* about ferns and ${foundWord}.`);
  await publish(caller, by, second);
  await publish(caller, by, first);
  return publish(caller, by, second);
}

async function removeOwn(caller: Caller, by: Person, content: string) {
  const removed = await article(caller, by, { title: 'Deleted' });
  await caller.done('DELETE', `/v1/articles/${removed.id}`, { token: by.token });
  const erased = await article(caller, by, { title: `Erased ${content}`, content });
  const body = { confirm: 'erase', reason: 'It was wrong.' };
  await caller.done('POST', `/v1/articles/${erased.id}/erase`, { token: by.token, body });
  return { removed, erased };
}

export async function addArticles(caller: Caller, people: People, media: Body) {
  const { ann, ben, dora, gus, quill } = people;
  const keys = await addKeys(caller, people);
  const past = { published_at: '2020-02-03T04:05:06.789Z' };
  const kept = async (visibility: string, by = ann) =>
    publish(
      caller,
      by,
      await draft(caller, by, { visibility, title: `An ${visibility} one` }),
      past,
    );
  const main = await addMain(caller, ann, `/v1/media/${media['shown']}/content`);
  const featured = { featured_media_id: media['featured'], language: 'en-GB' };
  await caller.done('PATCH', `/v1/articles/${main.id}`, { token: ann.token, body: featured });
  const works = {
    main,
    draft: (await draft(caller, ann, { title: 'A draft' })) as Work,
    unlisted: await kept('unlisted'),
    private: await kept('private'),
    ...(await removeOwn(caller, ann, erasedWord)),
    hidden: await article(caller, ann, { title: 'Hidden' }),
    rejected: await article(caller, ann, { title: 'Hidden for good' }),
    upheld: await article(caller, ann, { title: 'Hidden by mistake' }),
    restored: await article(caller, ann, { title: 'Hidden for a while' }),
    legal: await article(caller, ann, { title: 'Removed by a court' }),
    taken: await article(caller, ann, { title: 'Removed by a moderator' }),
    deindexed: await article(caller, ann, { title: 'In no list' }),
    signed: await publishSigned(caller, quill, keys.used, {
      authorship_disclosure: 'ai_generated',
    }),
    signedRevoked: await publishSigned(caller, quill, keys.revoked),
    signedCompromised: await publishSigned(caller, quill, keys.compromised),
    answer: await article(caller, ben, { title: 'An answer', metadata: { topics: ['Ferns'] } }),
    ofSuspended: await article(caller, dora, { title: 'Of a suspended account' }),
    quiet: await kept('unlisted', gus),
  };
  await keys.end();
  return { works, keys: { used: keys.used } };
}

export type Works = Awaited<ReturnType<typeof addArticles>>['works'];

export async function comment(
  caller: Caller,
  by: Person,
  id: string,
  members: Body = {},
): Promise<string> {
  const body = { content: 'I *agree*.', ...members };
  return (await caller.post(`/v1/articles/${id}/comments`, by.token, body))['id'];
}

export async function addComments(caller: Caller, people: People, { main, quiet }: Works) {
  const { ann, ben, quill } = people;
  const first = await comment(caller, ben, main.id, { stance: 'supports' });
  const replies = `/v1/comments/${first}/replies`;
  const reply = await caller.post(replies, ann.token, {
    content: 'Thank you.',
    stance: 'clarifies',
  });
  const comments = {
    first,
    reply: String(reply['id']),
    deep: await comment(caller, ben, main.id, { parent_comment_id: reply['id'] }),
    ofAgent: await comment(caller, quill, main.id, { stance: 'asks', content: 'Which *fern*?' }),
    deleted: await comment(caller, ben, main.id, { content: `Deleted: ${erasedWord}.` }),
    hidden: await comment(caller, ben, main.id, { content: 'Buy cheap ferns.' }),
    legal: await comment(caller, ben, main.id, { content: 'Copied.' }),
    early: await comment(caller, ben, quiet.id),
    second: await comment(caller, ann, quiet.id),
  };
  await caller.done('DELETE', `/v1/comments/${comments.deleted}`, { token: ben.token });
  return comments;
}

/** Edges of every direction, and follows. A correction of a cited article notifies who cites it. */
export async function addEdges(caller: Caller, people: People, works: Works, via: string) {
  const { ann, ben, gus, quill } = people;
  const edge = async (by: Person, from: Work, members: Body) =>
    String(
      (await caller.post('/v1/edges', by.token, { src_article_id: from.id, ...members }))['id'],
    );
  const { main, answer, restored } = works;
  const edges = {
    extends: await edge(ben, answer, {
      kind: 'extends',
      dst_article_id: main.id,
      via_comment_id: via,
      note: 'It adds mosses.',
    }),
    cites: await edge(ben, answer, { kind: 'cites', dst_article_id: main.id }),
    uri: await edge(ben, answer, { kind: 'cites', dst_uri: 'https://example.org/moss' }),
    back: await edge(ann, main, { kind: 'replies_to', dst_article_id: answer.id }),
    corrects: await edge(ann, restored, { kind: 'corrects', dst_article_id: main.id }),
    gone: await edge(ben, answer, { kind: 'related', dst_article_id: works.signed.id }),
  };
  await caller.done('DELETE', `/v1/edges/${edges.gone}`, { token: ben.token });
  const follow = (by: Person, { id }: Person) =>
    caller.post('/v1/follows', by.token, { principal_id: id });
  for (const [by, whom] of [
    [ben, ann],
    [ben, quill],
    [quill, ben],
    [ann, ben],
    [gus, ann],
  ] as const)
    await follow(by, whom);
  await caller.done('DELETE', `/v1/follows/${ann.id}`, { token: gus.token });
  return edges;
}
