// The report of an audit in words.
import type { LogEvidence } from '@colophon/sdk';
import { oneLine, printable } from '../output/printable.ts';
import type { Style } from '../output/style.ts';
import type { AuditReport } from './audit.ts';
import type { Finding } from './findings.ts';

const number = new Intl.NumberFormat('en');
const formatCount = (count: number, one: string, many = `${one}s`) =>
  `${number.format(count)} ${count === 1 ? one : many}`;

/** Returns the lines of findings, the first hundred of them. */
export function findingLines(
  findings: readonly Finding[],
  count: number,
  style: Style,
): readonly string[] {
  const shown = findings.slice(0, 100).map(({ kind, leaf, detail }) => {
    const place = leaf === null ? '' : ` leaf ${leaf}`;
    return oneLine(`${style('red', kind)}${place}: ${detail}`);
  });
  return count > shown.length
    ? [...shown, `… and ${formatCount(count - shown.length, 'other')}`]
    : shown;
}

/** Returns the lines of two checkpoints that contradict each other. */
export function evidenceLines({ remembered, received }: LogEvidence): readonly string[] {
  return [
    'Remembered checkpoint:',
    printable(remembered).trimEnd(),
    '',
    'Received checkpoint:',
    printable(received).trimEnd(),
    '',
    'Keep both: they are signed, and show what the log did.',
  ];
}

function dateLines({ earlier_dates, earlier_dates_count: count }: AuditReport): readonly string[] {
  if (count === 0) return [];
  const shown = earlier_dates
    .slice(0, 10)
    .map(
      ({ leaf, article, published_at, logged_at }) =>
        `  leaf ${leaf}: article ${article} says ${published_at}, logged ${logged_at}`,
    );
  return [
    `${formatCount(count, 'publication')} ${count === 1 ? 'has an earlier date' : 'have earlier dates'} than the log can confirm. Imported works do:`,
    ...shown.map(oneLine),
    ...(count > shown.length ? ['  …'] : []),
  ];
}

/** Returns the lines of a report. */
export function reportLines(report: AuditReport, style: Style): readonly string[] {
  const { origin, size, publications, articles, compared, findings_count } = report;
  const witnesses = report.witnesses.map(({ name, at }) => `${name} at ${at}`);
  const isGood = findings_count === 0;
  return [
    isGood
      ? style('green', 'Nothing is wrong')
      : style('red', formatCount(findings_count, 'finding')),
    ...findingLines(report.findings, findings_count, style),
    oneLine(`Log:       ${origin}, ${formatCount(size, 'leaf', 'leaves')}, root ${report.root}`),
    oneLine(`Witnesses: ${witnesses.join(', ') || 'none that you named'}`),
    `Leaves:    ${formatCount(publications, 'publication')} of ${formatCount(articles, 'article')}`,
    `Service:   ${compared ? 'compared' : 'not compared'}`,
    oneLine(`Mirror:    ${report.folder}`),
    ...dateLines(report),
  ];
}
