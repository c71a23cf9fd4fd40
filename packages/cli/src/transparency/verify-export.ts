// Verifies every proof of an export, without a network: text, signature, and place in the transparency log.
import type { LogState, ProofVerdict, Trusted } from '@colophon/sdk';
import type { Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { failure } from '../failures.ts';
import type { Failure } from '../failures.ts';
import { openProofs } from '../import/index.ts';
import type { ArchivedProof, ArchivedProofs, CopyFault } from '../import/index.ts';
import { oneLine } from '../output/printable.ts';
import { numberOf } from '../words.ts';
import { openLogMemory } from './memory.ts';
import { ownKeysFailure } from './own-keys.ts';

interface Place {
  readonly article_id: string;
  readonly revision_id: string;
}

/** A Markdown file that belongs to no article of the export names no revision. */
interface Fault {
  readonly article_id: string | null;
  readonly revision_id: string | null;
  readonly reason: string;
  readonly detail: string;
}

interface ExportReport {
  /**
   * `valid` only by keys that the caller named, because the keys of an export are its creator's choice, and only if
   * they prove every published revision: anybody can leave a signature out.
   */
  readonly result: 'valid' | 'consistent' | 'refused';
  /** Where the keys of the authors come from. */
  readonly keys_from: 'option' | 'export';
  /** The address of the service. */
  readonly origin: string;
  /** The key of the log, and where it comes from; null if no log is trusted. */
  readonly log_key: string | null;
  readonly log_key_from: 'option' | 'memory' | 'export' | null;
  /** Published revisions. */
  readonly proofs: number;
  /** Those whose signature agrees with the keys. */
  readonly signed: number;
  /** Those that the log contains. */
  readonly logged: number;
  readonly faults: readonly Fault[];
  /** Those that are neither signed nor in the log: nothing shows that their texts are genuine. */
  readonly unproven: readonly Place[];
}

interface Trust {
  readonly trusted: Trusted;
  readonly keysFrom: ExportReport['keys_from'];
  readonly key: string | null;
  readonly from: ExportReport['log_key_from'];
}

/** What this computer remembers of the log counts more than what the export says of it. */
async function ownTrust({ terminal }: Context, archive: ArchivedProofs): Promise<Trust> {
  const { origin: baseUrl, keys, logKey } = archive;
  const keysFrom = 'export';
  const remembered = await openLogMemory(terminal.env, baseUrl).read();
  const key = remembered?.verifier_key ?? logKey;
  if (key === undefined) return { trusted: { baseUrl, keys }, keysFrom, key: null, from: null };
  const from = remembered === undefined ? 'export' : 'memory';
  return { trusted: { baseUrl, keys, log: { verifierKey: key } }, keysFrom, key, from };
}

function namedTrust(trusted: Trusted): Trust {
  const { log } = trusted;
  const from = log === undefined ? null : 'option';
  return { trusted, keysFrom: 'option', key: log?.verifierKey ?? null, from };
}

const placeOf = ({ articleId, revisionId }: ArchivedProof): Place => ({
  article_id: articleId,
  revision_id: revisionId,
});

/**
 * Whether a proof is of the record beside it. The name of its file says so, and anybody can rename a file: an old text
 * with its genuine proof would pass for the newest one, or for another article.
 */
function isOfRecord({ articleId, revisionId, createdAt, proof }: ArchivedProof): boolean {
  const { article_id, revision_id, created_at } = proof as Readonly<Record<string, unknown>>;
  return article_id === articleId && revision_id === revisionId && created_at === createdAt;
}

/** An unsigned revision is not a fault: people do not sign. */
function faultOf(proven: ArchivedProof, verdict: ProofVerdict): readonly Fault[] {
  const { result } = verdict;
  if (result !== 'valid' && verdict.reason !== 'unsigned')
    return [{ ...placeOf(proven), reason: verdict.reason, detail: verdict.detail }];
  if (isOfRecord(proven)) return [];
  const detail = 'The proof is of another revision than the record in data/articles.';
  return [{ ...placeOf(proven), reason: 'other-revision', detail }];
}

function unprovenOf(proven: ArchivedProof, verdict: ProofVerdict): readonly Place[] {
  const isUnproven = verdict.result === 'refused' && verdict.reason === 'unsigned';
  return isUnproven && verdict.log !== 'included' ? [placeOf(proven)] : [];
}

const copyFaultOf = ({ articleId, revisionId, detail }: CopyFault): Fault => ({
  article_id: articleId,
  revision_id: revisionId,
  reason: 'markdown-file',
  detail,
});

type Findings = Pick<ExportReport, 'keys_from' | 'proofs' | 'faults' | 'unproven'>;

function resultOf({ keys_from, proofs, faults, unproven }: Findings): ExportReport['result'] {
  if (faults.length > 0) return 'refused';
  return keys_from === 'option' && proofs > 0 && unproven.length === 0 ? 'valid' : 'consistent';
}

async function verifyAll(archive: ArchivedProofs, trust: Trust): Promise<ExportReport> {
  const { verifyProof } = await import('@colophon/sdk');
  const faults: Fault[] = [];
  const unproven: Place[] = [];
  const states: LogState[] = [];
  let signed = 0;
  for await (const { proofs, copyFaults } of archive.articles()) {
    for (const proven of proofs) {
      const { text, proof } = proven;
      const verdict = await verifyProof(proof, { text, trusted: trust.trusted });
      if (verdict.result === 'valid') signed += 1;
      states.push(verdict.log);
      faults.push(...faultOf(proven, verdict));
      unproven.push(...unprovenOf(proven, verdict));
    }
    faults.push(...copyFaults.map(copyFaultOf));
  }
  faults.push(...archive.strays().map(copyFaultOf));
  const findings = { keys_from: trust.keysFrom, proofs: states.length, faults, unproven };
  return {
    result: resultOf(findings),
    ...findings,
    origin: archive.origin,
    log_key: trust.key,
    log_key_from: trust.from,
    signed,
    logged: states.filter((state) => state === 'included').length,
  };
}

const sources = {
  option: 'of your trust file',
  memory: 'that this computer remembers',
  export: 'that the export names',
} as const;

const colours = { valid: 'green', consistent: 'yellow', refused: 'red' } as const;

function headingOf({ result, keys_from, proofs }: ExportReport): string {
  if (result === 'valid')
    return 'No proof is wrong, and the Markdown files have the texts of the revisions';
  if (result === 'refused') return 'Refused';
  if (keys_from === 'export') return 'Consistent, but not valid: the keys are those of the export';
  return proofs === 0
    ? 'Nothing to verify: the export has no published revision'
    : 'Consistent, but not valid: some revisions are neither signed nor in the log';
}

function placeInWords({ article_id, revision_id }: Fault): string {
  if (article_id === null) return '';
  return revision_id === null ? `${article_id}: ` : `${article_id}, revision ${revision_id}: `;
}

function linesOf(report: ExportReport, { style }: Context['output']): readonly string[] {
  const { proofs, signed, logged, faults, unproven, log_key, log_key_from } = report;
  const source = log_key_from === null ? '' : ` ${sources[log_key_from]}`;
  return [
    style(colours[report.result], headingOf(report)),
    ...faults.map((one) => oneLine(`${placeInWords(one)}${one.reason}: ${one.detail}`)),
    ...unproven.map(({ article_id, revision_id }) =>
      oneLine(`${article_id}, revision ${revision_id}: neither signed nor in the log`),
    ),
    `Published revisions: ${proofs}, of which ${signed} are signed and ${logged} in the log`,
    oneLine(`Log: ${log_key === null ? 'not checked' : `by the key ${log_key}${source}`}`),
  ];
}

/** The failure of an export in which no proof is wrong, and which the named keys do not prove. */
function unprovenFailure({ proofs, unproven }: ExportReport): Failure {
  if (proofs === 0)
    return failure(
      'Nothing is proven: the export has no published revision.',
      'Only what was published has a proof. Check the file against the checksum of its record: checksums_sha256.',
      exits.no,
    );
  return failure(
    `${unproven.length} of ${proofs} published revisions are not proven: anybody can write a text without a signature.`,
    'Rely only on the others. Texts of people, and unlisted and private ones, are proven only if the log has them ' +
      'and the trust file names the key of the log.',
    exits.no,
  );
}

function refusedFailure({ faults }: ExportReport): Failure {
  const files = faults.filter(({ reason }) => reason === 'markdown-file').length;
  const parts = [
    ...(faults.length > files ? [numberOf(faults.length - files, 'wrong proof')] : []),
    ...(files > 0 ? [numberOf(files, 'wrong Markdown file')] : []),
  ];
  const next = files > 0 ? 'Rely on the texts in data/articles, which have proofs.' : undefined;
  return failure(`The export has ${parts.join(' and ')}.`, next, exits.no);
}

/** Verifies an export. `named`: what the caller trusts; without it, the keys are only the export's own. */
export async function verifyExport(context: Context, path: string, named?: Trusted): Promise<void> {
  await using archive = await openProofs(path);
  const trust = named === undefined ? await ownTrust(context, archive) : namedTrust(named);
  const report = await verifyAll(archive, trust);
  await context.output.answer(report, () => linesOf(report, context.output));
  if (report.result === 'valid') return;
  if (report.result === 'consistent')
    throw report.keys_from === 'export' ? ownKeysFailure() : unprovenFailure(report);
  throw refusedFailure(report);
}
