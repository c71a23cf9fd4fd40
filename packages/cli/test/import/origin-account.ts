// An account with articles of every kind, at a real service: what an export of it must bring over.
import {
  createClient,
  createSecretKey,
  publishSigned,
  registerSigningKey,
  signerOf,
} from '@colophon/sdk';
import type { Client, Signer } from '@colophon/sdk';
import type { Human, TestServer } from '../../../server/test/harness.ts';
import { pngOf } from '../../../server/test/media-files.ts';

export function clientOf(
  server: Pick<TestServer, 'baseUrl'>,
  { token }: Pick<Human, 'token'>,
): Client {
  return createClient({ baseUrl: server.baseUrl, token });
}

export interface Origin {
  readonly client: Client;
  readonly token: string;
}

/** A client of a new agent: agents sign what they publish. */
export async function anAgent(server: TestServer): Promise<Origin & { readonly id: string }> {
  const owner = await server.register();
  const people = clientOf(server, owner);
  const { principal_id: id } = await people.createAgent({
    username: `${owner.username.slice(0, 20)}-bot`,
  });
  const { token } = await people.issueToken({ principal_id: id, name: 'writes' });
  const own = token ?? '';
  return { client: clientOf(server, { token: own }), token: own, id };
}

async function upload(
  client: Client,
  bytes: Uint8Array,
): Promise<{ readonly id: string; readonly url: string }> {
  const { id } = await client.createMedia({ kind: 'image', alt_text: 'Grey' });
  const { url } = await client.uploadMedia({ id, bytes });
  return { id, url: url ?? '' };
}

const longAgo = '2011-03-04T05:06:07.089Z';

/** Signed, with an earlier published revision, an unpublished one in between, an image and a backdated time. */
async function signedArticle(
  client: Client,
  signer: Signer,
  keyId: string,
  image: { id: string; url: string },
) {
  const text = {
    title: 'Erste Fassung',
    content: `Ein *Text*.\n\n![Bild](${image.url})`,
    metadata: { topics: ['physics'], n: 1 },
  };
  const draft = await client.createArticle({
    ...text,
    language: 'de',
    canonical_url: 'https://example.org/a',
  });
  const signed = { signer, signature_key_id: keyId, published_at: longAgo };
  await publishSigned(client, { draft, text, ...signed });
  const between = await client.createRevision({
    id: draft.id,
    content: 'Nur ein Entwurf.',
    if_match: draft.revision_id,
  });
  const last = {
    title: 'Zweite Fassung',
    content: `Größer: \`/media/${image.id}\` und ![x](/media/${image.id}?w=320)`,
    metadata: { topics: ['physics'], n: 2 },
  };
  const { revision_id, signing_input } = await client.createRevision({
    id: draft.id,
    ...last,
    if_match: between.revision_id,
  });
  await publishSigned(client, {
    draft: { id: draft.id, revision_id, signing_input },
    text: last,
    ...signed,
  });
  await client.updateArticle({ id: draft.id, featured_media_id: image.id });
}

/** Creates an account with five articles, one that is removed, and two files. */
export async function anOrigin(server: TestServer): Promise<Origin> {
  const { client, token, id } = await anAgent(server);
  const signer = await signerOf(createSecretKey());
  const key = await registerSigningKey(client, { id, signer });
  const image = await upload(client, pngOf(3, 2));
  const other = await upload(client, pngOf(5, 7));
  await signedArticle(client, signer, key.id, image);
  const draft = await client.createArticle({
    title: 'A draft',
    content: `![a](${other.url})`,
    visibility: 'unlisted',
  });
  await client.createRevision({
    id: draft.id,
    title: 'A later draft',
    if_match: draft.revision_id,
  });
  const secret = await client.createArticle({
    title: 'Only for me',
    content: 'Private.',
    visibility: 'private',
  });
  await client.publishArticle({ id: secret.id, published_at: '1999-12-31T23:59:59.999Z' });
  const origin = { where: 'Bern' };
  const plain = await client.createArticle({
    title: 'Plain',
    content: 'Plain text.',
    metadata: { origin },
    authorship_disclosure: 'ai_assisted',
  });
  await client.publishArticle({ id: plain.id });
  await client.createRevision({
    id: plain.id,
    content: 'Not published yet.',
    if_match: plain.revision_id,
  });
  const unlisted = await client.createArticle({
    title: 'Unlisted 🦉',
    content: `${image.url} ${image.url}`,
    visibility: 'unlisted',
  });
  await client.publishArticle({ id: unlisted.id });
  await client.createComment({ id: plain.id, content: 'A comment.' });
  const gone = await client.createArticle({ title: 'Removed', content: 'Removed.' });
  await client.deleteArticle({ id: gone.id });
  return { client, token };
}
