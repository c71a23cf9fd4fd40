// `colophon verify ARTICLE`: checks the proof of a signed article, online or from saved files.
import { open as openFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { KeyHistory, LoggedFacts, ProofVerdict, ProvenText, Trusted } from '@colophon/sdk';
import { readNamed, textOf } from '../api/values.ts';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { failure } from '../failures.ts';
import { requireFolder } from '../files.ts';
import { parseJson, toJson } from '../json.ts';
import { makeFolders } from '../make-folders.ts';
import { writeResults } from '../result-files.ts';
import { ownKeysFailure, verifyWithOwnKeys } from '../transparency/own-keys.ts';
import { requireOneHistory } from '../transparency/prove.ts';
import { findLogIfAny } from '../transparency/trust.ts';
import type { FoundLog } from '../transparency/trust.ts';
import { verifyExport } from '../transparency/verify-export.ts';
import { oneLine } from '../output/printable.ts';
import { articleId } from '../targets.ts';

interface Words {
  readonly save?: string | undefined;
  readonly trusted?: string | undefined;
}

/** The three files of docs/verifying.md. */
interface Evidence {
  readonly proof: unknown;
  readonly revision: ProvenText;
  readonly trusted: KeyHistory | Trusted;
}

async function readJson({ terminal }: Context, file: string): Promise<unknown> {
  const value = parseJson(textOf(await readNamed(terminal, file), file));
  if (value !== undefined) return value;
  throw failure(
    `${file} is not JSON.`,
    'Save the files again: colophon verify ARTICLE --save FOLDER',
  );
}

/** The keys of an author. People have none. */
async function historyOf(
  context: Context,
  { id, kind }: { readonly id: string; readonly kind: string },
): Promise<KeyHistory> {
  const client = await context.client();
  if (kind === 'human') return { baseUrl: (await client.readMeta()).base_url, keys: [] };
  const { readKeyHistory } = await import('@colophon/sdk');
  return readKeyHistory(client, { id });
}

interface Fetched {
  readonly evidence: Evidence;
  readonly log: FoundLog | undefined;
  /** The keys are from the service, not from the place of the proof. */
  readonly isOnline: boolean;
}

async function fetchEvidence(context: Context, word: string): Promise<Fetched> {
  const client = await context.client();
  const id = await articleId(context, word);
  const { revision_id, author } = await client.readArticle({ id });
  const { url: service } = await context.account();
  const [proof, revision, history, log] = await Promise.all([
    client.readProof({ id, revision_id }),
    client.readRevision({ id, revision_id }),
    historyOf(context, author),
    findLogIfAny(context, client, { service, words: {} }),
  ]);
  const trusted = log === undefined ? history : { ...history, log: log.trusted };
  return { evidence: { proof, revision: revision as ProvenText, trusted }, log, isOnline: true };
}

/** The file that the page of an article offers: the three in one. */
async function readBundled(context: Context, file: string): Promise<Evidence> {
  const bundle = await readJson(context, file);
  const isBundle = typeof bundle === 'object' && bundle !== null && 'proof' in bundle;
  if (isBundle && 'revision' in bundle && 'trusted' in bundle) return bundle as Evidence;
  throw failure(
    `${file} is not the evidence of an article.`,
    'It has the members proof, revision and trusted. The page of a signed article offers such a file.',
  );
}

async function readSaved(context: Context, folder: string): Promise<Evidence> {
  const [proof, revision, trusted] = await Promise.all(
    ['proof', 'revision', 'trusted'].map((name) => readJson(context, join(folder, `${name}.json`))),
  );
  return { proof, revision: revision as ProvenText, trusted: trusted as Trusted };
}

async function save({ terminal, output }: Context, folder: string, evidence: Evidence) {
  const place = resolve(terminal.folder, folder);
  await requireFolder(place, folder);
  await makeFolders(place);
  await writeResults(
    Object.entries(evidence).map(([member, value]) => {
      const file = `${member}.json`;
      const content = `${toJson(value, 2)}\n`;
      return { path: join(place, file), name: join(folder, file), content };
    }),
  );
  output.note(
    'Saved proof.json, revision.json and trusted.json. Check them without a network: ' +
      `colophon verify ${folder} --trusted ${join(folder, 'trusted.json')}`,
  );
}

/** Returns the evidence that a word names: a folder, a file, or an article of the service. */
async function evidenceOf(context: Context, word: string): Promise<Fetched> {
  const found = await stat(resolve(context.terminal.folder, word)).catch(() => undefined);
  if (found === undefined) return fetchEvidence(context, word);
  const read = found.isDirectory() ? readSaved : readBundled;
  return { evidence: await read(context, word), log: undefined, isOnline: false };
}

/** What the log says of a publication, in words. */
function logLine({ log, logged }: { readonly log: string; readonly logged: LoggedFacts | null }) {
  if (logged === null) return log === 'absent' ? 'it does not contain this yet' : 'not checked';
  const { origin, index, at, witnesses } = logged;
  const seen = witnesses.map(({ name, at: when }) => `; ${name} saw it by ${when}`).join('');
  return `leaf ${index} of ${origin}, logged ${at}${seen}`;
}

function linesOf(verdict: ProofVerdict, { style }: Context['output']): readonly string[] {
  const { result } = verdict;
  if (result === 'refused')
    return [
      style('red', 'Refused'),
      `${verdict.reason}: ${oneLine(verdict.detail)}`,
      ...(verdict.reason === 'unsigned' ? [oneLine(`Log:      ${logLine(verdict)}`)] : []),
    ];
  const facts = [
    `Article:  ${verdict.article_id}, revision ${verdict.revision_id}`,
    `Service:  ${oneLine(verdict.base_url)}`,
    `Author:   ${verdict.author_id ?? `${verdict.claimed_author_id} (claimed)`}`,
    `Key:      ${verdict.key.public_key} (${verdict.key.status})`,
    `Text:     ${verdict.text_matches ? 'it is the signed text' : 'not checked'}`,
    `Log:      ${logLine(verdict)}`,
    `Not checked: ${verdict.not_checked.join(', ') || 'nothing'}`,
  ].map(oneLine);
  if (result === 'valid') return [style('green', 'Valid'), ...facts];
  return [style('yellow', 'Consistent, but not valid'), oneLine(verdict.detail), ...facts];
}

/** A proof in a tree that only this reader was shown is as good as none. */
async function prove(context: Context, log: FoundLog, proof: unknown): Promise<void> {
  try {
    await requireOneHistory(context, log, proof);
  } catch (error) {
    const { isLogFault } = await import('@colophon/sdk');
    if (!isLogFault(error)) throw error;
    throw failure(
      `The log is refused (${error.reason}): ${error.message}`,
      'Keep what `--save FOLDER` stores, and run: colophon log audit',
      error.reason === 'unreachable' ? exits.network : exits.no,
    );
  }
}

/** Whether a word names a ZIP file, as an export is one. */
async function isArchive({ terminal }: Context, word: string): Promise<boolean> {
  await using file = await openFile(resolve(terminal.folder, word)).catch(() => undefined);
  if (file === undefined || (await file.stat()).isDirectory()) return false;
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  return buffer.toString('latin1') === 'PK\x03\x04';
}

/** The keys of `--trusted`. */
async function namedTrust(context: Context, { trusted }: Words): Promise<Trusted | undefined> {
  return trusted === undefined ? undefined : ((await readJson(context, trusted)) as Trusted);
}

async function judge({ evidence, isOnline }: Fetched, named?: Trusted): Promise<ProofVerdict> {
  const { proof, revision: text, trusted: keys } = evidence;
  if (named === undefined && !isOnline) return verifyWithOwnKeys(proof, { text, keys });
  const { verifyProof } = await import('@colophon/sdk');
  return verifyProof(proof, { text, trusted: named ?? keys });
}

async function verify(context: Context, word: string, words: Words): Promise<void> {
  const isExport = await isArchive(context, word);
  const named = await namedTrust(context, words);
  if (isExport) return verifyExport(context, resolve(context.terminal.folder, word), named);
  const fetched = await evidenceOf(context, word);
  const { evidence, log, isOnline } = fetched;
  if (words.save !== undefined) await save(context, words.save, evidence);
  const verdict = await judge(fetched, named);
  await context.output.answer(verdict, () => linesOf(verdict, context.output));
  if (log !== undefined && verdict.log === 'included') await prove(context, log, evidence.proof);
  if (verdict.valid) return;
  if (verdict.consistent && named === undefined && !isOnline) throw ownKeysFailure();
  throw failure(`The proof is ${verdict.result}: ${verdict.reason}.`, undefined, exits.no);
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument(
      '<article>',
      'its id or URL, a folder with saved files, the file of its page, or an export',
    )
    .option('--save <folder>', 'keep proof, text and keys, to check them again later')
    .option(
      '--trusted <file>',
      'keys that you trust, as JSON; files and exports are proven only with it',
    )
    .action((word, words) => verify(open(), word, words));
  command.addHelpText(
    'after',
    '\nThe exit code is 0 for a valid proof and 3 for any other. Keys that came with a file prove nothing.',
  );
  addExamples(command, [
    ['colophon verify SIGNED_ARTICLE_ID', 'Check that its author signed exactly this text'],
    ['colophon verify SIGNED_ARTICLE_ID --save evidence', 'Keep the evidence'],
    [
      'colophon verify evidence --trusted evidence/trusted.json',
      'Check it again, without a network',
    ],
  ]);
}
