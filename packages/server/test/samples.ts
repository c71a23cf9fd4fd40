// One sound request for every operation of the contract, with every member of its body filled.
import { bodyExample, operationList, scopes } from '@colophon/contract';
import type { AnyOperation, OperationName } from '@colophon/contract';
import { storeToken } from './accounts.ts';
import { createAgent } from './agents.ts';
import { readyExport } from './exports.ts';
import { freshName } from './harness.ts';
import type { Asked, Response, TestServer } from './harness.ts';
import { freshKeyPair } from './key-pairs.ts';
import { aRecord, pngOf, upload } from './media-files.ts';
import { moderationSamples } from './moderation-samples.ts';
import { aNonce, register, registrationOf } from './registered-keys.ts';
import { noParams } from './sample.ts';
import type { Make, Sample, World } from './sample.ts';
import { until } from './throw-away-database.ts';

export type { Sample, World } from './sample.ts';

export async function openWorld(server: TestServer): Promise<World> {
  const human = await server.register();
  return { server, human: { ...human, token: await storeToken(server, human.id, scopes) } };
}

const text = { title: 'A title', content: 'Some *text*.', metadata: { topics: ['Samples'] } };
const details = {
  language: 'en',
  visibility: 'public',
  authorship_disclosure: 'human_authored',
  canonical_url: 'https://example.org/',
};
const later = () => new Date(Date.now() + 3_600_000).toISOString();

async function aDraft({ server, human }: World): Promise<Sample> {
  return { params: { id: (await server.draft(human)).id } };
}

async function anArticle({ server, human }: World): Promise<Sample> {
  return { params: { id: (await server.published(human)).id } };
}

async function aFile({ server, human }: World): Promise<Sample> {
  return { params: { id: (await upload(server, human, 'image', pngOf(2, 2))).body.id } };
}

/** A comment of the human on an article of their own. */
async function aComment({ server, human }: World): Promise<Sample> {
  const { id } = await server.published(human);
  const body = { content: 'A *comment*.' };
  const path = `/v1/articles/${id}/comments`;
  const made = await server.ask('POST', path, { token: human.token, key: true, body });
  return { params: { id: made.body.id } };
}

/** A topic of one article, so that nothing changes it; the pipeline makes it. */
async function aTopic({ server, human }: World): Promise<Sample> {
  const slug = `samples-${freshName()}`;
  await server.published(human, { metadata: { topics: [slug] } });
  const known = async () => (await server.ask('GET', `/v1/topics/${slug}`)).status === 200;
  await until('the topic is there', known);
  return { params: { slug } };
}

const aPrincipal: Make = async ({ human }) => ({ params: { id: human.id } });

/** An edge between two published articles of the human; answers its id and that of its source. */
async function anEdge({ server, human }: World): Promise<{ id: string; source: string }> {
  const [source, other] = [await server.published(human), await server.published(human)];
  const body = { src_article_id: source.id, kind: 'cites', dst_article_id: other.id };
  const made = await server.ask('POST', '/v1/edges', { token: human.token, key: true, body });
  return { id: made.body.id, source: source.id };
}

/** Operations that need more than the object in their path and the example of their body. */
const own: Readonly<Partial<Record<OperationName, Make>>> = {
  registerHuman: async () => ({
    params: {},
    body: { username: freshName(), display_name: 'A name', email: 'a@example.org' },
  }),
  createAgent: async () => ({
    params: {},
    body: { username: freshName(), display_name: 'A name', model: 'A model', provider: 'A firm' },
  }),
  issueToken: async ({ human }) => ({
    params: {},
    body: {
      principal_id: human.id,
      name: 'a token',
      scopes: ['articles:read'],
      expires_at: later(),
    },
  }),
  revokeToken: async ({ server, human }) => {
    const body = { principal_id: human.id, name: 'to be revoked' };
    const issued = await server.ask('POST', '/v1/tokens', { token: human.token, key: true, body });
    return { params: { id: issued.body.id } };
  },
  registerKey: async ({ server, human }) => {
    const { id, token } = await createAgent(server, human);
    const nonce = await aNonce(server, id, token);
    const body = { ...registrationOf(server, id, freshKeyPair(), nonce), label: 'a label' };
    return { params: { id }, body };
  },
  revokeKey: async ({ server, human }) => {
    const agent = await createAgent(server, human);
    return { params: { id: agent.id, key_id: (await register(server, agent)).body.id } };
  },
  updatePrincipal: async ({ human }) => ({
    params: { id: human.id },
    body: { display_name: 'Another', bio: 'What I do.' },
  }),
  listPrincipalAgents: async ({ server, human }) => {
    await createAgent(server, human);
    return { params: { id: human.id } };
  },
  closePrincipal: async ({ server }) => {
    const { id, token } = await server.register();
    return {
      params: { id },
      body: { confirm: 'close', articles: 'unpublish', reason: 'Enough.' },
      token,
    };
  },
  createArticle: async () => ({ params: {}, body: { ...text, ...details } }),
  updateArticle: async (world) => ({
    ...(await aDraft(world)),
    body: { ...details, featured_media_id: null },
  }),
  createRevision: async ({ server, human }) => {
    const { id, revision_id } = await server.draft(human);
    return {
      params: { id },
      body: { ...text, title: 'Another', expected_revision_id: revision_id },
    };
  },
  publishArticle: async ({ server, human }) => {
    const { id, revision_id } = await server.draft(human);
    const signed = { signature: 'A'.repeat(86), signature_key_id: revision_id };
    return {
      params: { id },
      body: { revision_id, published_at: '2026-01-31T09:30:00.000Z', ...signed },
      without: Object.keys(signed),
    };
  },
  readRevision: async ({ server, human }) => {
    const { id, revision_id } = await server.published(human);
    return { params: { id, revision_id } };
  },
  readProof: async ({ server, human }) => {
    const { id, revision_id } = await server.published(human);
    return { params: { id, revision_id } };
  },
  createMedia: async () => ({
    params: {},
    body: {
      kind: 'image',
      alt_text: 'What is to be seen.',
      source: 'generated',
      generation_metadata: { model: 'a model' },
    },
  }),
  uploadMedia: async ({ server, human }) => ({
    params: { id: (await aRecord(server, human, 'image')).id },
    bytes: pngOf(2, 2),
  }),
  createComment: async ({ server, human }) => {
    const { id } = await server.published(human);
    const parent = await aComment({ server, human });
    return {
      params: { id },
      body: { content: 'A *comment*.', stance: 'asks', parent_comment_id: parent.params.id },
      without: ['parent_comment_id'],
    };
  },
  follow: async ({ server }) => ({
    params: {},
    body: { principal_id: (await server.register()).id },
  }),
  unfollow: async ({ server, human }) => {
    const body = { principal_id: (await server.register()).id };
    await server.ask('POST', '/v1/follows', { token: human.token, body });
    return { params: { followeeId: body.principal_id } };
  },
  createEdge: async ({ server, human }) => {
    const [source, other] = [await server.published(human), await server.published(human)];
    const input = { src_article_id: source.id, dst_article_id: other.id, via_comment_id: null };
    return {
      params: {},
      body: { ...input, kind: 'cites', note: 'A note', dst_uri: 'https://example.org/' },
      without: ['dst_uri'],
    };
  },
  listArticleEdges: async (world) => ({ params: { id: (await anEdge(world)).source } }),
  readGraph: async (world) => ({ params: { id: (await anEdge(world)).source } }),
  ...moderationSamples,
  deleteExport: async ({ server }) => {
    const human = await server.register();
    return { params: { id: (await readyExport(server, human)).id }, token: human.token };
  },
  createExport: async ({ server, human }) => ({
    params: {},
    body: { principal_id: (await createAgent(server, human)).id },
  }),
  search: async () => ({ params: {}, query: 'q=words' }),
};

/** Objects by the segment of a path that precedes their id. */
const objects: Readonly<Record<string, Make>> = {
  agents: async ({ server, human }) => ({ params: { id: (await createAgent(server, human)).id } }),
  articles: anArticle,
  comments: aComment,
  exports: async ({ server, human }) => {
    const agent = await createAgent(server, human);
    return { params: { id: (await readyExport(server, human, agent.id)).id } };
  },
  edges: async (world) => ({ params: { id: (await anEdge(world)).id } }),
  media: aFile,
  principals: aPrincipal,
  topics: aTopic,
  usernames: async ({ human }) => ({ params: { username: human.username } }),
};

/** A sample made of the object that the path names, and of the example of the body. */
async function deriveSample(operation: AnyOperation, world: World): Promise<Sample> {
  const { name, path, params } = operation;
  const segment = /([\w-]+)\/\{/.exec(path)?.[1] ?? '';
  const make = params.length === 0 ? noParams : objects[segment];
  if (make === undefined || params.length > 1)
    throw new Error(`Write in test/samples.ts what a request for ${name} names in its path.`);
  return { ...(await make(world)), ...(operation.body ? { body: bodyExample(operation) } : {}) };
}

export const samples = Object.fromEntries(
  operationList.map((operation) => [
    operation.name,
    own[operation.name as OperationName] ?? ((world: World) => deriveSample(operation, world)),
  ]),
) as Readonly<Record<OperationName, Make>>;

export function pathOf(operation: AnyOperation, params: Readonly<Record<string, string>>): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
}

/** Where a sample goes: its path, and the query parameters that it does not go without. */
export function addressOf(operation: AnyOperation, { params, query }: Sample, more = ''): string {
  const parameters = [query, more].filter(Boolean).join('&');
  return `${pathOf(operation, params)}${parameters === '' ? '' : `?${parameters}`}`;
}

/** What to send for a sample: all of the body but what does not go together. */
export function askedOf(operation: AnyOperation, sample: Sample, token?: string): Asked {
  const body = Object.fromEntries(
    Object.entries(sample.body ?? {}).filter(([name]) => !sample.without?.includes(name)),
  );
  return {
    ...(token === undefined ? {} : { token: sample.token ?? token }),
    ...(operation.idempotency === 'required' ? { key: true as const } : {}),
    ...(operation.body ? { body } : {}),
    ...(sample.bytes === undefined ? {} : { raw: sample.bytes }),
  };
}

/** Sends a sample of the operation, by default a new one, with changes to the request. */
export async function send(
  world: World,
  operation: AnyOperation,
  changes: Asked & { readonly query?: string } = {},
  given?: Sample,
): Promise<Response> {
  const sample = given ?? (await samples[operation.name as OperationName](world));
  const { query = '', ...asked } = changes;
  const address = addressOf(operation, sample, query.slice(1));
  return world.server.ask(operation.method, address, {
    ...askedOf(operation, sample, world.human.token),
    ...asked,
  });
}
