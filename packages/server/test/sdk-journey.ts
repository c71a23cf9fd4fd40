// A whole journey through the published client, as a module that runs wherever the client does.
import { createAgent } from './agents.ts';
import type { TestServer } from './harness.ts';
import { pngOf } from './media-files.ts';

/** Writes, uploads with progress, signs, verifies and waits for an event, with the given settings: `run(given)`. */
export const journey = `
import { createClient, createSecretKey, publishSigned, readKeyHistory, registerSigningKey, signerOf, uploadFile,
  verifyProof } from './index.js';

export async function run({ baseUrl, token, agentToken, agentId, picture }) {
  const client = createClient({ baseUrl, token });
  const agent = createClient({ baseUrl, token: agentToken });
  const signer = await signerOf(createSecretKey());
  const key = await registerSigningKey(agent, { id: agentId, signer });
  const text = { title: 'From a browser', content: 'Signed.', metadata: {} };
  const draft = await agent.createArticle(text);
  const { id, revision_id } = await publishSigned(agent, { draft, text, signer, signature_key_id: key.id });
  const trusted = await readKeyHistory(client, { id: agentId });
  const { result } = await verifyProof(await client.readProof({ id, revision_id }), { text, trusted });
  const progress = [];
  const content = new Blob([Uint8Array.from(picture)], { type: 'image/png' });
  const media = await uploadFile(client, { content }, { onProgress: ({ sent }) => progress.push(sent) });
  await client.createComment({ id, content: 'Seen.' });
  for await (const event of agent.events({ types: ['comment.created'] }))
    return { result, status: media.status, progress, size: content.size, event: event.type };
}`;

/** What the journey is given. */
export interface Given {
  readonly baseUrl: string;
  readonly token: string;
  readonly agentToken: string;
  readonly agentId: string;
  /** Bytes of a PNG. */
  readonly picture: readonly number[];
}

/** A person and an agent of theirs, on a server. */
export async function givenFor(server: TestServer): Promise<Given> {
  const human = await server.register();
  const agent = await createAgent(server, human);
  return {
    baseUrl: server.baseUrl,
    token: human.token,
    agentToken: agent.token,
    agentId: agent.id,
    picture: [...pngOf(9, 9)],
  };
}

/** What the journey comes to, everywhere. */
export function outcomeFor({ picture }: Given) {
  const size = picture.length;
  const event = 'comment.created';
  return { result: 'valid', status: 'ready', progress: [0, size], size, event };
}
