// Publishing a file: creates or revises its article, applies its settings, signs, and publishes.
import { resolve } from 'node:path';
import type { BodyAnswer, Client, InputOf, ProblemError, Signer } from '@colophon/sdk';
import type { Context } from '../context.ts';
import { failure, misuse } from '../failures.ts';
import { requireRegular } from '../files.ts';
import { readKey, signerFor } from '../profiles/keys.ts';
import { createFrom } from './create.ts';
import { isSameText, readManuscript, writeBack } from './manuscript.ts';
import type { Manuscript, Text } from './manuscript.ts';

type Article = BodyAnswer<'readArticle'>;

export interface Input {
  /** The name of the key to sign with. */
  readonly sign?: string | undefined;
  /** Whether readers are to see it; else it stays a draft. */
  readonly visible: boolean;
  readonly dryRun: boolean;
}

export interface Outcome {
  readonly id: string;
  readonly revision_id: string;
  readonly url: string;
  readonly status: string;
  readonly signed: boolean;
  /** Whether the service already had exactly this text. */
  readonly unchanged: boolean;
}

interface Draft {
  readonly id: string;
  readonly revision_id: string;
  readonly signing_input: string;
  readonly text: Text;
  readonly article: Article;
  readonly unchanged: boolean;
}

const attempts = 4;

/** Repeats a call that sets values, after lost responses: a second time changes nothing. */
async function repeat<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt >= attempts || !(error as Partial<ProblemError>).outcomeUnknown) throw error;
    }
  }
}

/** Returns the newest revision of an article with its text. */
export async function newestOf(client: Client, id: string) {
  const article = await client.readArticle({ id });
  const revision_id = article.latest_revision_id ?? article.revision_id;
  const revision = await client.readRevision({ id, revision_id });
  const { title, content, metadata } = revision;
  const text: Text = { title, content: content ?? '', metadata: metadata as Text['metadata'] };
  return { article, revision_id, signing_input: revision.signing_input, text };
}

/** Revises the article if the text differs. The service refuses it if the file is based on another revision. */
async function revise(context: Context, manuscript: Manuscript, id: string): Promise<Draft> {
  const client = await context.client();
  const newest = await newestOf(client, id);
  if (isSameText(newest.text, manuscript.text)) return { ...newest, id, unchanged: true };
  const { text, revision_id: if_match = newest.revision_id } = manuscript;
  const options = { idempotencyKey: context.key('revise') };
  const made = await client.createRevision({ id, ...text, if_match }, options);
  const { revision_id, signing_input } = made;
  await writeBack(context.terminal, manuscript.name, { revision_id });
  return { id, revision_id, signing_input, text, article: newest.article, unchanged: false };
}

/** Applies settings of the front matter that the article does not have yet. */
async function applySettings(client: Client, { article }: Draft, { settings }: Manuscript) {
  const wanted = Object.entries(settings).filter(
    ([name, value]) => value !== undefined && article[name as keyof Article] !== value,
  );
  if (wanted.length === 0) return;
  const changes: InputOf<'updateArticle'> = { id: article.id, ...Object.fromEntries(wanted) };
  await repeat(() => client.updateArticle(changes));
}

interface PublicationKey {
  readonly signer: Signer;
  readonly key_id: string;
}

/** The key to sign with, read before anything is written: a text that cannot be signed must not be left as a draft. */
async function publicationKey(context: Context, name: string): Promise<PublicationKey> {
  const { url } = await context.account();
  const { id: own, kind } = (await (await context.client()).readMe()).principal;
  const key = await readKey(context.terminal.env, name);
  const { registrations } = key;
  const found = registrations.findLast((one) => one.url === url && one.agent_id === own);
  if (found !== undefined) return { signer: await signerFor(name, key), key_id: found.key_id };
  throw misuse(
    `The key "${name}" is not registered for this account.`,
    kind === 'agent'
      ? `Register it as the agent that publishes: colophon key register ${name}`
      : `Only agents sign. Register it for one of yours (colophon key register ${name} --agent AGENT), ` +
          'and publish with the profile of this agent.',
  );
}

async function publishDraft(
  context: Context,
  draft: Draft,
  published_at: string | undefined,
  key: PublicationKey | undefined,
) {
  const client = await context.client();
  const { id, revision_id } = draft;
  const options = { idempotencyKey: context.key('publish') };
  if (key === undefined) return client.publishArticle({ id, revision_id, published_at }, options);
  const { publishSigned } = await import('@colophon/sdk');
  const { signer, key_id: signature_key_id } = key;
  const { text } = draft;
  return publishSigned(client, { draft, text, signer, signature_key_id, published_at }, options);
}

/** Whether readers already see this revision, signed if that was asked for. */
function isVisible({ article, revision_id }: Draft, { sign }: Input): boolean {
  const isSigned = sign === undefined || article.signature !== null;
  return article.status === 'published' && article.revision_id === revision_id && isSigned;
}

async function tryOut(context: Context, manuscript: Manuscript): Promise<Outcome> {
  const client = await context.client();
  const { id, text, settings } = manuscript;
  if (id === undefined) {
    const draft = await client.createArticle({ ...text, ...settings, dry_run: true });
    return { ...draft, status: 'draft', signed: false, unchanged: false };
  }
  const { article, revision_id, text: current } = await newestOf(client, id);
  const { revision_id: if_match = revision_id } = manuscript;
  const unchanged = isSameText(current, text);
  if (!unchanged) await client.createRevision({ id, ...text, if_match, dry_run: true });
  return { id, revision_id, url: article.url, status: article.status, signed: false, unchanged };
}

/** The service accepts so much for clocks that differ. */
const aheadMs = 5 * 60_000;

/** Refuses a date that the service would refuse only after it has stored the draft. */
function requirePast({ name, published_at }: Manuscript): void {
  if (published_at === undefined || Date.parse(published_at) <= Date.now() + aheadMs) return;
  throw failure(
    `published_at in ${name} is in the future: ${published_at}.`,
    'Write a date in the past, or leave it out.',
  );
}

/** Reads a manuscript. What cannot be published is refused before any request. */
async function readChecked(context: Context, name: string, input: Input): Promise<Manuscript> {
  if (!input.dryRun) await requireRegular(resolve(context.terminal.folder, name), name);
  const manuscript = await readManuscript(context.terminal, name);
  if (input.visible) requirePast(manuscript);
  return manuscript;
}

/** Creates or revises the article of a manuscript. */
async function store(context: Context, manuscript: Manuscript) {
  const { name } = manuscript;
  const id = manuscript.id ?? (await createFrom(context, manuscript));
  const based = await readManuscript(context.terminal, name);
  const draft = await revise(context, based, id);
  const client = await context.client();
  await applySettings(client, draft, based);
  await writeBack(context.terminal, name, { revision_id: draft.revision_id });
  // An article that was just created has the text because of this invocation.
  return { ...draft, unchanged: draft.unchanged && manuscript.id !== undefined };
}

/** Publishes a file, or stores it as a draft. Repeating it after any interruption completes it. */
export async function publishFile(context: Context, name: string, input: Input): Promise<Outcome> {
  const manuscript = await readChecked(context, name, input);
  const { sign } = input;
  const key = sign === undefined ? undefined : await publicationKey(context, sign);
  if (input.dryRun) return tryOut(context, manuscript);
  const draft = await store(context, manuscript);
  const { id, revision_id, unchanged, article } = draft;
  const { url } = article;
  const signed = article.signature !== null && article.revision_id === revision_id;
  if (!input.visible || isVisible(draft, input))
    return { id, revision_id, url, status: article.status, signed, unchanged };
  const first = article.published_at === null ? manuscript.published_at : undefined;
  const published = await publishDraft(context, draft, first, key);
  return {
    id,
    revision_id,
    url: published.url,
    status: 'published',
    signed: published.signed,
    unchanged,
  };
}
