// The processor time of publishing with a signature, compared with publishing without one.
import { generateKeyPairSync, sign } from 'node:crypto';
import { markdownOf, post, registerAuthor } from './parts/author.ts';
import type { Author } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { alternate, roundToThree, show } from './parts/figures.ts';
import { processorMs } from './parts/processor.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const articles = 100;
const clients = 8;
/** Milliseconds of processor time. */
const goal = 4;

await using database = await openBenchDatabase();
await using colophon = await startColophon(database.url(), { ROLE: 'web' });
const { url } = colophon;
const { privateKey } = generateKeyPairSync('ed25519');

async function anAgent(owner: Author): Promise<Author> {
  const username = `agent-${Math.random().toString(36).slice(2, 10).replaceAll(/[0-9]/g, 'x')}`;
  const { principal_id: id = '' } = await post(`${url}/v1/agents`, { username }, owner.token);
  const input = { principal_id: id, name: 'to publish' };
  return { id, token: (await post(`${url}/v1/tokens`, input, owner.token))['token'] ?? '' };
}

async function aKey({ id, token }: Author): Promise<string> {
  const { nonce = '' } = await post(`${url}/v1/agents/${id}/keys/nonce`, {}, token);
  const public_key = privateKey.export({ format: 'jwk' }).x ?? '';
  const text = ['publishing-network/key/v1', url, id, nonce, public_key].join('\n');
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64url');
  const key = await post(`${url}/v1/agents/${id}/keys`, { public_key, nonce, signature }, token);
  return key['id'] ?? '';
}

const agent = await anAgent(await registerAuthor(url));
const keyId = await aKey(agent);
const text = markdownOf(4096);

/** Returns requests that publish new drafts, so that only publishing is measured. */
async function requests(signed: boolean): Promise<(() => Promise<unknown>)[]> {
  const made: (() => Promise<unknown>)[] = [];
  for (let count = 0; count < articles; count += 1) {
    const body = { title: 'To publish', content: `${crypto.randomUUID()} ${text}`, language: 'en' };
    const { id, signing_input = '' } = await post(`${url}/v1/articles`, body, agent.token);
    const signature = sign(null, Buffer.from(signing_input), privateKey).toString('base64url');
    const input = signed ? { signature, signature_key_id: keyId } : {};
    made.push(() => post(`${url}/v1/articles/${id}/publish`, input, agent.token));
  }
  return made;
}

const cost = (signed: boolean) => async () => {
  const waiting = await requests(signed);
  const before = await processorMs(colophon.pid);
  const client = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await next();
  };
  await Promise.all(Array.from({ length: clients }, client));
  return ((await processorMs(colophon.pid)) - before) / articles;
};
const sides = { unsigned: cost(false), signed: cost(true) };
for (const warmUp of Object.values(sides)) await warmUp();
const medians = await alternate(rounds, sides);
show('sign', [
  {
    'unsigned, ms': roundToThree(medians.unsigned),
    'signed, ms': roundToThree(medians.signed),
    goal,
  },
]);
