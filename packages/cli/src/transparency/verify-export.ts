// Verifies every proof of an export, without a network: text, signature, and place in the transparency log.
import type { LogState, ProofVerdict, Trusted } from '@colophon/sdk';
import type { Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { failure } from '../failures.ts';
import { openProofs } from '../import/index.ts';
import type { ArchivedProof, ArchivedProofs } from '../import/index.ts';
import { oneLine } from '../output/printable.ts';
import { openLogMemory } from './memory.ts';
import { ownKeysFailure } from './own-keys.ts';

interface Fault {
  readonly article_id: string;
  readonly revision_id: string;
  readonly reason: string;
  readonly detail: string;
}

interface ExportReport {
  /** `valid` only by keys that the caller named: the keys of an export are its creator's choice. */
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

/** An unsigned revision is no fault: people do not sign. */
function faultOf(
  { articleId: article_id, revisionId: revision_id }: ArchivedProof,
  verdict: ProofVerdict,
): readonly Fault[] {
  if (verdict.result === 'valid' || verdict.reason === 'unsigned') return [];
  return [{ article_id, revision_id, reason: verdict.reason, detail: verdict.detail }];
}

async function verifyAll(archive: ArchivedProofs, trust: Trust): Promise<ExportReport> {
  const { verifyProof } = await import('@colophon/sdk');
  const faults: Fault[] = [];
  const states: LogState[] = [];
  let signed = 0;
  for await (const proven of archive.proofs()) {
    const verdict = await verifyProof(proven.proof, { text: proven.text, trusted: trust.trusted });
    if (verdict.result === 'valid') signed += 1;
    states.push(verdict.log);
    faults.push(...faultOf(proven, verdict));
  }
  const proven = trust.keysFrom === 'option' ? 'valid' : 'consistent';
  return {
    result: faults.length === 0 ? proven : 'refused',
    keys_from: trust.keysFrom,
    origin: archive.origin,
    log_key: trust.key,
    log_key_from: trust.from,
    proofs: states.length,
    signed,
    logged: states.filter((state) => state === 'included').length,
    faults,
  };
}

const sources = {
  option: 'of your trust file',
  memory: 'that this computer remembers',
  export: 'that the export names',
} as const;

const headings = {
  valid: ['green', 'No proof is wrong'],
  consistent: ['yellow', 'Consistent, but not valid: the keys are those of the export'],
  refused: ['red', 'Refused'],
} as const;

function linesOf(report: ExportReport, { style }: Context['output']): readonly string[] {
  const { result, proofs, signed, logged, faults, log_key, log_key_from } = report;
  const source = log_key_from === null ? '' : ` ${sources[log_key_from]}`;
  const [colour, heading] = headings[result];
  return [
    style(colour, heading),
    ...faults.map((one) =>
      oneLine(`${one.article_id}, revision ${one.revision_id}: ${one.reason}: ${one.detail}`),
    ),
    `Published revisions: ${proofs}, of which ${signed} are signed and ${logged} in the log`,
    oneLine(`Log: ${log_key === null ? 'not checked' : `by the key ${log_key}${source}`}`),
  ];
}

/** Verifies an export. `named`: what the caller trusts; without it, the keys are only the export's own. */
export async function verifyExport(context: Context, path: string, named?: Trusted): Promise<void> {
  await using archive = await openProofs(path);
  const trust = named === undefined ? await ownTrust(context, archive) : namedTrust(named);
  const report = await verifyAll(archive, trust);
  await context.output.answer(report, () => linesOf(report, context.output));
  if (report.result === 'valid') return;
  if (report.result === 'consistent') throw ownKeysFailure();
  throw failure(`${report.faults.length} proofs are wrong.`, undefined, exits.no);
}
