// Fills a running server of any version with something of everything that the version knows, over HTTP only.
import { generateKeyPairSync, sign } from 'node:crypto';

/** An answer that is read again after the upgrade. */
export interface Reading {
  readonly path: string;
  readonly token: string | null;
  readonly status: number;
  readonly body: unknown;
}

// oxlint-disable-next-line typescript/no-explicit-any -- bodies of several versions
type Body = Record<string, any>;

interface Sent {
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Versions before an operation answer 404: what they do not know is not filled. */
const unknown = new Set([404, 405]);
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

class Filling {
  readonly paths: { path: string; token: string | null }[] = [];
  readonly #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  async ask(method: string, path: string, { token, body, headers }: Sent = {}) {
    const response = await fetch(this.#address + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        'idempotency-key': crypto.randomUUID(),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Body };
  }

  /** Sends what the version must know. */
  async make(path: string, token: string | null, body: unknown, headers = {}): Promise<Body> {
    const answer = await this.ask('POST', path, { token, body, headers });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Sends what the version may not know yet; undefined: it does not. */
  async tryTo(method: string, path: string, sent: Sent): Promise<Body | undefined> {
    const answer = await this.ask(method, path, sent);
    if (unknown.has(answer.status)) return undefined;
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  note(path: string, token: string | null = null): void {
    this.paths.push({ path, token });
  }
}

export interface Names {
  /** BASE_URL of the server. */
  readonly baseUrl: string;
  /** Of every username, so that a server can be filled twice. */
  readonly suffix: string;
}

interface Person {
  readonly id: string;
  readonly token: string;
}

async function addPerson(filling: Filling, username: string): Promise<Person> {
  const made = await filling.make('/v1/humans', null, {
    username,
    display_name: `The ${username}`,
  });
  const { id, token } = made as { id: string; token: string };
  filling.note(`/v1/principals/${id}`);
  filling.note(`/v1/usernames/${username}`);
  filling.note(`/v1/tokens`, token);
  return { id, token };
}

async function addArticle(filling: Filling, { token }: Person, members: Body): Promise<Body> {
  const body = { title: 'On moss', content: 'A *text* about moss.', language: 'en', ...members };
  const made = await filling.make('/v1/articles', token, body);
  filling.note(`/v1/articles/${made['id']}`, token);
  filling.note(`/v1/articles/${made['id']}/revisions`, token);
  return made;
}

async function publish(filling: Filling, { token }: Person, article: Body, body = {}) {
  await filling.make(`/v1/articles/${article['id']}/publish`, token, body);
  filling.note(`/v1/articles/${article['id']}`);
  filling.note(`/v1/articles/${article['id']}/revisions`);
}

/** Articles in every state that their author can bring them to. */
async function addArticles(filling: Filling, ann: Person): Promise<Body> {
  const text = { title: 'On ferns', metadata: { topics: ['Ferns'], shelf: { row: 3 } } };
  const main = await addArticle(filling, ann, text);
  await publish(filling, ann, main);
  const revised = await filling.make(
    `/v1/articles/${main['id']}/revisions`,
    ann.token,
    { content: 'A second *text* about ferns.' },
    { 'if-match': `"${main['revision_id']}"` },
  );
  await publish(filling, ann, main, { revision_id: revised['revision_id'] });
  filling.note(`/v1/articles/${main['id']}/revisions/${main['revision_id']}`);
  filling.note(`/v1/articles/${main['id']}/revisions/${revised['revision_id']}/proof`);
  await addArticle(filling, ann, { title: 'A draft' });
  const past = { published_at: '2020-02-03T04:05:06.789Z' };
  for (const visibility of ['unlisted', 'private'])
    await publish(filling, ann, await addArticle(filling, ann, { visibility }), past);
  const deleted = await addArticle(filling, ann, { title: 'Deleted' });
  await publish(filling, ann, deleted);
  await filling.ask('DELETE', `/v1/articles/${deleted['id']}`, { token: ann.token });
  const erased = await addArticle(filling, ann, { title: 'Erased' });
  await publish(filling, ann, erased);
  await filling.ask('POST', `/v1/articles/${erased['id']}/erase`, {
    token: ann.token,
    body: { confirm: 'erase' },
  });
  return main;
}

/** An agent with a key, which signs what it publishes. */
async function addAgent(
  filling: Filling,
  owner: Person,
  { baseUrl, suffix }: Names,
): Promise<void> {
  const body = { username: `quill${suffix}`, model: 'm-1', provider: 'Somebody' };
  const made = await filling.make('/v1/agents', owner.token, body);
  const id = String(made['principal_id']);
  const issued = await filling.make('/v1/tokens', owner.token, {
    principal_id: id,
    name: 'writes',
  });
  const agent = { id, token: String(issued['token']) };
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey
    .export({ format: 'der', type: 'spki' })
    .subarray(-32)
    .toString('base64url');
  const signed = (lines: string) =>
    sign(null, Buffer.from(lines), privateKey).toString('base64url');
  const { nonce } = await filling.make(`/v1/agents/${id}/keys/nonce`, owner.token, {});
  const lines = ['publishing-network/key/v1', baseUrl, id, nonce, public_key].join('\n');
  const key = await filling.make(`/v1/agents/${id}/keys`, owner.token, {
    public_key,
    nonce,
    signature: signed(lines),
    label: 'first',
  });
  const article = await addArticle(filling, agent, { title: 'Signed' });
  await publish(filling, agent, article, {
    signature: signed(String(article['signing_input'])),
    signature_key_id: key['id'],
  });
  filling.note(`/v1/articles/${article['id']}/revisions/${article['revision_id']}/proof`);
  filling.note(`/v1/agents/${id}/keys`);
  filling.note(`/v1/principals/${id}`);
  filling.note('/v1/agents', owner.token);
}

async function addAnswers(filling: Filling, article: Body, ann: Person, ben: Person) {
  const path = `/v1/articles/${article['id']}/comments`;
  const body = { content: 'I *agree*.', stance: 'supports' };
  const comment = await filling.tryTo('POST', path, { token: ben.token, body });
  if (comment === undefined) return;
  const replies = `/v1/comments/${comment['id']}/replies`;
  const reply = await filling.make(replies, ann.token, { content: 'Thank you.' });
  const deleted = await filling.make(path, ben.token, { content: 'Deleted again.' });
  await filling.ask('DELETE', `/v1/comments/${deleted['id']}`, { token: ben.token });
  for (const { id } of [comment, reply] as Body[]) filling.note(`/v1/comments/${id}`);
  filling.note(path);
  filling.note('/v1/comments', ben.token);
  const own = await addArticle(filling, ben, { title: 'An answer' });
  await publish(filling, ben, own);
  const links = [
    { kind: 'extends', dst_article_id: article['id'], note: 'It adds mosses.' },
    { kind: 'cites', dst_uri: 'https://example.org/moss' },
  ];
  for (const link of links) {
    const sent = { src_article_id: own['id'], ...link };
    const edge = await filling.tryTo('POST', '/v1/edges', { token: ben.token, body: sent });
    if (edge !== undefined) filling.note(`/v1/edges/${edge['id']}`);
  }
  filling.note(`/v1/articles/${own['id']}/edges`);
  filling.note(`/v1/articles/${article['id']}/edges?direction=in`);
  await filling.tryTo('POST', '/v1/follows', { token: ben.token, body: { principal_id: ann.id } });
  filling.note(`/v1/principals/${ann.id}/followers`);
  filling.note('/v1/events', ann.token);
  filling.note('/v1/events', ben.token);
}

async function addMedia(filling: Filling, address: string, { token }: Person): Promise<void> {
  const body = { kind: 'image', alt_text: 'One pixel' };
  const media = await filling.tryTo('POST', '/v1/media', { token, body });
  if (media === undefined) return;
  const path = `/v1/media/${media['id']}`;
  await fetch(`${address}${path}/content`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: onePixel,
  });
  filling.note(path, token);
}

/**
 * Fills the server at the address, and returns what it answers about all of it.
 * @throws Error if the server refuses something that its version knows
 */
export async function fill(address: string, names: Names): Promise<readonly Reading[]> {
  const filling = new Filling(address);
  const ann = await addPerson(filling, `ann${names.suffix}`);
  const ben = await addPerson(filling, `ben${names.suffix}`);
  await addAgent(filling, ann, names);
  const article = await addArticles(filling, ann);
  await addAnswers(filling, article, ann, ben);
  await addMedia(filling, address, ann);
  const report = {
    target_type: 'article',
    target_id: article['id'],
    category: 'spam',
    details: 'Too many ferns.',
  };
  await filling.tryTo('POST', '/v1/reports', { token: ben.token, body: report });
  const gone = await addPerson(filling, `closing${names.suffix}`);
  await publish(filling, gone, await addArticle(filling, gone, { title: 'Of a closed account' }));
  await filling.tryTo('POST', `/v1/principals/${gone.id}/close`, {
    token: gone.token,
    body: { confirm: 'close', articles: 'pseudonymise' },
  });
  // What the pipeline derives is not part of the answers: it may still be at work.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const readings: Reading[] = [];
  for (const { path, token } of filling.paths)
    readings.push({ path, token, ...(await filling.ask('GET', path, { token })) });
  return readings;
}
