// Verifies every proof of an export, without a network: text, signature, and place in the transparency log.
import type { LogState, ProofVerdict, Trusted } from '@colophon/sdk';
import type { Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { failure } from '../failures.ts';
import { openProofs } from '../import/index.ts';
import type { ArchivedProof, ArchivedProofs } from '../import/index.ts';
import { oneLine } from '../output/printable.ts';
import { openLogMemory } from './memory.ts';

interface Fault {
  readonly article_id: string;
  readonly revision_id: string;
  readonly reason: string;
  readonly detail: string;
}

interface ExportReport {
  /** The address of the service. */
  readonly origin: string;
  /** The key of the log, and where it comes from; null if no log is trusted. */
  readonly log_key: string | null;
  readonly log_key_from: 'option' | 'memory' | 'export' | null;
  /** Published revisions. */
  readonly proofs: number;
  readonly signed: number;
  /** Those that the log contains. */
  readonly logged: number;
  readonly faults: readonly Fault[];
}

interface Trust {
  readonly trusted: Trusted;
  readonly key: string | null;
  readonly from: ExportReport['log_key_from'];
}

/** What this computer remembers of the log counts more than what the export says of it. */
async function trustOf({ terminal }: Context, archive: ArchivedProofs): Promise<Trust> {
  const { origin: baseUrl, keys, logKey } = archive;
  const remembered = await openLogMemory(terminal.env, baseUrl).read();
  const key = remembered?.verifier_key ?? logKey;
  if (key === undefined) return { trusted: { baseUrl, keys }, key: null, from: null };
  const from = remembered === undefined ? 'export' : 'memory';
  return { trusted: { baseUrl, keys, log: { verifierKey: key } }, key, from };
}

/** An unsigned revision is no fault: people do not sign. */
function faultOf(
  { articleId: article_id, revisionId: revision_id }: ArchivedProof,
  verdict: ProofVerdict,
): readonly Fault[] {
  if (verdict.result === 'valid' || verdict.reason === 'unsigned') return [];
  return [{ article_id, revision_id, reason: verdict.reason, detail: verdict.detail }];
}

async function verifyAll(archive: ArchivedProofs, { trusted, key, from }: Trust) {
  const { verifyProof } = await import('@colophon/sdk');
  const faults: Fault[] = [];
  const states: LogState[] = [];
  let signed = 0;
  for await (const proven of archive.proofs()) {
    const verdict = await verifyProof(proven.proof, { text: proven.text, trusted });
    if (verdict.result === 'valid') signed += 1;
    states.push(verdict.log);
    faults.push(...faultOf(proven, verdict));
  }
  return {
    origin: archive.origin,
    log_key: key,
    log_key_from: from,
    proofs: states.length,
    signed,
    logged: states.filter((state) => state === 'included').length,
    faults,
  } satisfies ExportReport;
}

const sources = {
  option: 'of your trust file',
  memory: 'that this computer remembers',
  export: 'that the export names',
} as const;

function linesOf(report: ExportReport, { style }: Context['output']): readonly string[] {
  const { proofs, signed, logged, faults, log_key, log_key_from } = report;
  const source = log_key_from === null ? '' : ` ${sources[log_key_from]}`;
  return [
    faults.length === 0 ? style('green', 'No proof is wrong') : style('red', 'Refused'),
    ...faults.map((one) =>
      oneLine(`${one.article_id}, revision ${one.revision_id}: ${one.reason}: ${one.detail}`),
    ),
    `Published revisions: ${proofs}, of which ${signed} are signed and ${logged} in the log`,
    oneLine(`Log: ${log_key === null ? 'not checked' : `by the key ${log_key}${source}`}`),
  ];
}

/** Verifies an export. `given`: what the caller trusts; undefined: what the export and this computer say. */
export async function verifyExport(
  context: Context,
  path: string,
  given: Trusted | undefined,
): Promise<void> {
  await using archive = await openProofs(path);
  const trust: Trust =
    given === undefined
      ? await trustOf(context, archive)
      : {
          trusted: given,
          key: given.log?.verifierKey ?? null,
          from: given.log === undefined ? null : 'option',
        };
  const report = await verifyAll(archive, trust);
  await context.output.answer(report, () => linesOf(report, context.output));
  if (report.faults.length === 0) return;
  throw failure(`${report.faults.length} proofs are wrong.`, undefined, exits.no);
}
