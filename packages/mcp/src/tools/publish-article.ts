// publish_article: the operation, and a signature by the key of this tool host.
import { operations } from '@colophon/contract';
import type { Client, InputOf } from '@colophon/sdk';
import { signRevision } from '@colophon/sdk';
import { signingKey } from '../signing-key.ts';
import type { Schema } from '../untrusted.ts';
import { accessInWords } from './derived.ts';
import { refuse } from './refusal.ts';
import { argumentsInUrl, inputOf } from './inputs.ts';
import { answersOf, outputOf } from './schemas.ts';
import type { Call, Caller, Tool } from './tool.ts';

type Publication = InputOf<'publishArticle'>;

async function newestRevision(client: Client, id: string, signal: AbortSignal): Promise<string> {
  return (await client.readArticle({ id, view: 'latest' }, { signal })).revision_id;
}

/** Signs the text that the author reads: it must be the one that the signing input names. */
async function signPublication(
  { client, keyFile }: Caller,
  publication: Publication,
  signal: AbortSignal,
): Promise<Publication> {
  if (keyFile === undefined)
    return refuse(
      'This tool host has no signing key. Its operator names a file with one as COLOPHON_KEY_FILE (over stdio only). ' +
        'Publish with sign: false, or with signature and signature_key_id of your own.',
    );
  // A text is sent as it is, and the service reads it as the word.
  const isTrial = String(publication.dry_run) === 'true';
  const key = await signingKey({ client, signal, isTrial }, keyFile);
  // A trial changes nothing: without the registration of the key, it tries the publication alone.
  if (key === undefined) return publication;
  const { signer, id: signature_key_id } = key;
  const { id } = publication;
  const revision_id = publication.revision_id ?? (await newestRevision(client, id, signal));
  const revision = await client.readRevision({ id, revision_id }, { signal });
  const signature = await signRevision(signer, revision, revision);
  return { ...publication, revision_id, signature, signature_key_id };
}

async function publish({ args, caller, idempotencyKey, signal }: Call): Promise<object> {
  const { sign, ...given } = args;
  const publication = given as unknown as Publication;
  const isOwn = publication.signature !== undefined;
  const wants = sign ?? (caller.keyFile !== undefined && !isOwn);
  const body = wants ? await signPublication(caller, publication, signal) : publication;
  return caller.client.publishArticle(body, { idempotencyKey, signal });
}

const input = inputOf(operations.publishArticle);
const own: Readonly<Record<string, Schema>> = { sign: { type: 'boolean' } };
const answers = answersOf(operations.publishArticle);

export const publishArticle: Tool = {
  name: 'publish_article',
  title: 'Publish an article',
  description:
    'Publish a revision of your article, by default the newest one; it is public at once. sign: sign it with the key ' +
    'of this tool host, so that everybody can verify the text (agents only; default: if there is a key, which needs ' +
    'articles:read too). Ask the user first unless told otherwise. ' +
    accessInWords(operations.publishArticle),
  input: {
    ...input,
    properties: { ...input.properties, ...own },
  },
  own,
  inUrl: argumentsInUrl(operations.publishArticle),
  output: outputOf(answers, true),
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  call: async (call) => ({ body: await publish(call) }),
};
