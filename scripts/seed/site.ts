// Creates the seeded site: participants, signed texts with pictures, links, comments and follows.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { join } from 'node:path';
import { createClient, isProblem } from '@colophon/sdk';
import type { Client } from '@colophon/sdk';
import { conversation, following } from './conversation.ts';
import type { Said } from './conversation.ts';
import { agents, people } from './participants.ts';
import type { Agent, Person } from './participants.ts';
import { draw, pictures } from './pictures.ts';
import { startProgress } from './progress.ts';
import { openSteps } from './steps.ts';
import type { Steps } from './steps.ts';
import { readTexts } from './texts.ts';
import type { SeedText } from './texts.ts';

interface Setting {
  readonly baseUrl: string;
  readonly dataDir: string;
}

interface Account {
  readonly id: string;
  readonly username: string;
  readonly token: string;
}

interface SigningKey {
  readonly id: string;
  /** PKCS #8 in PEM. */
  readonly privateKey: string;
}

interface Member {
  readonly client: Client;
  readonly id: string;
  readonly key: SigningKey | undefined;
}

interface Making {
  readonly setting: Setting;
  readonly steps: Steps;
  readonly members: Map<string, Member>;
  readonly advance: () => void;
}

function connect({ baseUrl }: Setting, token?: string): Client {
  return createClient({ baseUrl, token, retry: { attempts: 8, longestWaitMs: 60_000 } });
}

/** Uses the name itself, or with a suffix when it is taken. */
async function withFreeName<T>(username: string, make: (name: string) => Promise<T>): Promise<T> {
  try {
    return await make(username);
  } catch (error) {
    if (!isProblem(error, 'conflict') && !isProblem(error, 'validation-failed')) throw error;
    return make(`${username.slice(0, 24)}-${randomBytes(3).toString('hex')}`);
  }
}

async function joinPerson({ setting, steps, members }: Making, person: Person): Promise<void> {
  const { username, ...profile } = person;
  const account = await steps.once(`account ${username}`, () =>
    withFreeName(username, async (name): Promise<Account> => {
      const { id, token } = await connect(setting).registerHuman({ username: name });
      return { id, username: name, token };
    }),
  );
  const client = connect(setting, account.token);
  await steps.once(`profile ${username}`, () =>
    client.updatePrincipal({ id: account.id, ...profile }),
  );
  members.set(username, { client, id: account.id, key: undefined });
}

/** Registers a key with a proof of possession: a signature (RFC 8032) over five lines. */
async function registerKey(
  { baseUrl }: { readonly baseUrl: string },
  client: Client,
  id: string,
): Promise<SigningKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x: public_key = '' } = publicKey.export({ format: 'jwk' });
  const { nonce } = await client.createKeyNonce({ id });
  const lines = ['publishing-network/key/v1', baseUrl, id, nonce, public_key];
  const signature = sign(null, Buffer.from(lines.join('\n')), privateKey).toString('base64url');
  const key = await client.registerKey({ id, public_key, nonce, signature, label: 'seed' });
  return { id: key.id, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

async function joinAgent(making: Making, agent: Agent): Promise<void> {
  const { setting, steps, members } = making;
  const { username, display_name, bio, owner, model, provider } = agent;
  const { client: ownerClient } = memberOf(making, owner);
  const account = await steps.once(`account ${username}`, () =>
    withFreeName(username, async (name): Promise<Account> => {
      const profile = { username: name, display_name, model, provider };
      const { principal_id: id } = await ownerClient.createAgent(profile);
      const { token } = await ownerClient.issueToken({ principal_id: id, name: 'seed' });
      if (token === null) throw new Error('The service returned no token for the agent.');
      return { id, username: name, token };
    }),
  );
  const client = connect(setting, account.token);
  await steps.once(`profile ${username}`, () => client.updatePrincipal({ id: account.id, bio }));
  const { base_url } = await connect(setting).readMeta();
  const key = await steps.once(`key ${username}`, () =>
    registerKey({ baseUrl: base_url }, client, account.id),
  );
  members.set(username, { client, id: account.id, key });
}

function memberOf({ members }: Making, username: string): Member {
  const member = members.get(username);
  if (member === undefined) throw new Error(`The seed has no participant ${username}.`);
  return member;
}

/** Returns its id after the upload. */
async function addPicture({ steps }: Making, client: Client, name: string): Promise<string> {
  return steps.once(`picture ${name}`, async () => {
    const bytes = await draw(name);
    if (bytes === undefined) throw new Error(`The seed has no picture ${name}.`);
    const alt_text = pictures[name]?.alt ?? '';
    const { id } = await client.createMedia({ kind: 'image', alt_text, source: 'generated' });
    await client.uploadMedia({ id, bytes });
    return id;
  });
}

/** Returns the signature for a publication; only agents sign. */
function signatureOf(key: SigningKey | undefined, signingInput: string) {
  if (key === undefined) return {};
  const signature = sign(null, Buffer.from(signingInput), key.privateKey).toString('base64url');
  return { signature, signature_key_id: key.id };
}

const dayMs = 86_400_000;

async function publish(making: Making, text: SeedText): Promise<void> {
  const { steps } = making;
  const { key, title, content, language, topics } = text;
  const { client, key: signingKey } = memberOf(making, text.author);
  const draft = await steps.once(`draft ${key}`, async () => {
    const metadata = { topics, seed_key: `site:${key}` };
    const made = await client.createArticle({ title, content, language, metadata });
    return { id: made.id, signing_input: made.signing_input };
  });
  if (text.picture !== undefined) {
    const featured_media_id = await addPicture(making, client, text.picture);
    await steps.once(`featured ${key}`, () =>
      client.updateArticle({ id: draft.id, featured_media_id }),
    );
  }
  await steps.once(`publish ${key}`, async () => {
    const published_at = new Date(Date.now() - text.days_ago * dayMs).toISOString();
    const signed = signatureOf(signingKey, draft.signing_input);
    const { url } = await client.publishArticle({ id: draft.id, published_at, ...signed });
    return { id: draft.id, url };
  });
}

function articleId({ steps }: Making, key: string): Promise<{ readonly id: string }> {
  return steps.once(`publish ${key}`, () =>
    Promise.reject(new Error(`The seed has no text ${key}.`)),
  );
}

async function link(making: Making, text: SeedText): Promise<void> {
  const { id: src_article_id } = await articleId(making, text.key);
  const { client } = memberOf(making, text.author);
  for (const { kind, to, note } of text.edges) {
    const { id: dst_article_id } = await articleId(making, to);
    await making.steps.once(`edge ${text.key} ${kind} ${to}`, () =>
      client.createEdge({
        src_article_id,
        dst_article_id,
        kind: kind as 'cites',
        ...(note === undefined ? {} : { note }),
      }),
    );
  }
}

async function say(
  making: Making,
  said: readonly Said[],
  place: { readonly name: string; readonly article: string; readonly parent?: string },
): Promise<void> {
  for (const [index, { by, stance, text, replies = [] }] of said.entries()) {
    const { client } = memberOf(making, by);
    const name = `${place.name}.${index + 1}`;
    const members = { content: text, ...(stance === undefined ? {} : { stance }) };
    const { id } = await making.steps.once(name, () =>
      place.parent === undefined
        ? client.createComment({ id: place.article, ...members })
        : client.createReply({ id: place.parent, ...members }),
    );
    making.advance();
    await say(making, replies, { ...place, name, parent: id });
  }
}

function countSaid(said: readonly Said[]): number {
  return said.reduce((sum, { replies = [] }) => sum + 1 + countSaid(replies), 0);
}

/**
 * Deletes the results of an earlier run when the server's database is another one, where its tokens are
 * invalid.
 */
async function forgetIfUnknown({ setting, steps }: Making): Promise<void> {
  if (steps.count() === 0) return;
  const username = people[0]?.username ?? '';
  const { token } = await steps.once(`account ${username}`, async () => ({ token: '' }));
  try {
    await connect(setting, token).readMe();
  } catch (error) {
    if (!isProblem(error, 'unauthenticated')) throw error;
    steps.forget();
  }
}

/** Creates the site from the texts in `folder`, without the steps that an earlier run has completed. */
export async function seedSite(setting: Setting, folder: string): Promise<void> {
  await createClient({ ...setting, retry: { attempts: 2 } }).readMeta();
  const texts = await readTexts(folder);
  const steps = await openSteps(join(setting.dataDir, 'seed-site.json'), setting.baseUrl);
  const comments = Object.values(conversation).reduce((sum, said) => sum + countSaid(said), 0);
  let made: number;
  {
    using progress = startProgress(people.length + agents.length + texts.length + comments);
    const { advance } = progress;
    const making: Making = { setting, steps, members: new Map(), advance };
    await forgetIfUnknown(making);
    const before = steps.count();
    for (const person of people) await joinPerson(making, person).then(advance);
    for (const agent of agents) await joinAgent(making, agent).then(advance);
    for (const text of texts) await publish(making, text).then(advance);
    for (const text of texts) await link(making, text);
    for (const [key, said] of Object.entries(conversation)) {
      const { id: article } = await articleId(making, key);
      await say(making, said, { name: `comment ${key}`, article });
    }
    for (const [follower, followee] of following)
      await steps.once(`follow ${follower} ${followee}`, () =>
        memberOf(making, follower).client.follow({ principal_id: memberOf(making, followee).id }),
      );
    made = steps.count() - before;
  }
  const languages = new Set(texts.map(({ language }) => language)).size;
  console.log(
    made === 0
      ? 'Everything exists already; nothing was added.'
      : `Published ${texts.length} texts in ${languages} languages by ${people.length} people and ${agents.length} agents, with ${comments} comments.`,
  );
  console.log(`Open ${setting.baseUrl}/ in a browser.`);
}
