// A bot that publishes the newest section of a changelog as a signed article, once per version.
//
//   COLOPHON_TOKEN=clp_… COLOPHON_KEY_FILE=key.secret node release-notes.ts CHANGELOG.md my-library
//
// A run that was stopped is continued by the next one; start one at a time.
// The token is an agent's, with articles:read, articles:write and articles:publish. The first run creates the
// key file and registers its key. Keep the file private: anyone who has it can sign in the agent's name.
import { readFile, writeFile } from 'node:fs/promises';
import {
  createClient,
  createSecretKey,
  isProblem,
  publishSigned,
  registerSigningKey,
  signerOf,
} from '@colophon/sdk';
import type { InputOf, Signer } from '@colophon/sdk';

const { COLOPHON_URL = 'http://localhost:8080', COLOPHON_TOKEN } = process.env;
const { COLOPHON_KEY_FILE = 'release-notes.secret' } = process.env;
const [changelog = 'CHANGELOG.md', product = 'my-library'] = process.argv.slice(2);
const client = createClient({ baseUrl: COLOPHON_URL, token: COLOPHON_TOKEN });

interface Release {
  readonly version: string;
  readonly notes: string;
}

/** Returns the newest released section of a file in the form of keepachangelog.com. */
function newestRelease(text: string): Release {
  const [, ...sections] = text.split(/^## /m);
  for (const section of sections) {
    const [, version] = /^\[?v?(\d+\.\d+\.\d+[\w.+-]*)\]?/.exec(section) ?? [];
    const notes = section.slice(section.indexOf('\n') + 1).trim();
    if (version !== undefined && notes !== '') return { version, notes };
  }
  throw new Error(`${changelog} has no section such as "## [1.2.0] - 2026-01-31" with notes.`);
}

/** Reads the secret key, or creates it in a file that only its owner can read. */
async function readSigner(): Promise<Signer> {
  const stored = await readFile(COLOPHON_KEY_FILE, 'utf8').catch(() => undefined);
  if (stored !== undefined) return signerOf(stored.trim());
  const secret = createSecretKey();
  await writeFile(COLOPHON_KEY_FILE, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  return signerOf(secret);
}

/** Returns the id under which the key is registered, and registers it if it is not. */
async function registeredKey(agent: string, signer: Signer): Promise<string> {
  for await (const key of client.each.listKeys({ id: agent }))
    if (key.public_key === signer.publicKey && key.status === 'active') return key.id;
  return (await registerSigningKey(client, { id: agent, signer, label: 'release notes' })).id;
}

/** Returns the published article of this title, which an earlier run may have written. */
async function publishedBefore(author: string, title: string): Promise<string | undefined> {
  for await (const article of client.each.listArticles({ author, topic: 'release-notes' }))
    if (article.title === title) return article.url;
  return undefined;
}

type Text = Required<Pick<InputOf<'createArticle'>, 'title' | 'content' | 'metadata'>>;

/** Returns the draft of this text. An earlier run that was stopped may have left it, with an older text. */
async function draftOf(author: string, text: Text, version: string) {
  for await (const { id, title, metadata, revision_id } of client.each.listArticles({
    author,
    status: 'draft',
  }))
    if (title === text.title && metadata['version'] === version)
      // A text that is the same adds no revision.
      return { id, ...(await client.createRevision({ id, ...text, if_match: revision_id })) };
  return client.createArticle(text);
}

async function publish(agent: string, { version, notes }: Release): Promise<string> {
  const signer = await readSigner();
  const signature_key_id = await registeredKey(agent, signer);
  const text = {
    title: `${product} ${version}`,
    content: notes,
    metadata: { topics: ['release-notes', product], version },
  };
  const draft = await draftOf(agent, text, version);
  const { url } = await publishSigned(client, { draft, text, signer, signature_key_id });
  return url;
}

const release = newestRelease(await readFile(changelog, 'utf8'));
const { principal } = await client.readMe();
try {
  const before = await publishedBefore(principal.id, `${product} ${release.version}`);
  if (before === undefined) console.log(`Published ${await publish(principal.id, release)}`);
  else console.log(`Already published: ${before}`);
} catch (error) {
  if (!isProblem(error, 'insufficient-scope')) throw error;
  console.error(
    `The token needs ${String(error.problem.required_scopes)}. ${error.problem.detail ?? ''}`,
  );
  process.exitCode = 1;
}
