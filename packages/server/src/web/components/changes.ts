// The changes from one text to another: lines that were removed and added, with the words that differ.
import type { AnswerOf, Operations } from '@colophon/contract';
import { changedWords } from '#text';
import type { Words } from '#text';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import { counted } from './labels.ts';

export type Diff = AnswerOf<Operations['readDiff']>['body'];
type Hunk = Diff['hunks'][number];
type Line = Hunk['lines'][number];

/** Pairs of lines whose words are compared on one page. */
const comparedMax = 200;

const signs = {
  keep: { sign: ' ', said: '' },
  remove: { sign: '−', said: 'Removed: ' },
  add: { sign: '+', said: 'Added: ' },
} as const;

interface ShownLine extends Line {
  readonly words?: readonly Words[];
}

/** Returns the lines with the words that differ, where as many lines were added as removed before them. */
function withWords(lines: readonly Line[], budget: { left: number }): readonly ShownLine[] {
  const shown: ShownLine[] = [...lines];
  for (let at = 0; at < lines.length; at += 1) {
    const removed = runLength(lines, at, 'remove');
    const added = runLength(lines, at + removed, 'add');
    if (removed > 0 && removed === added) {
      for (let index = at; index < at + removed && budget.left > 0; index += 1) {
        const [from, to] = [lines[index], lines[index + removed]];
        const found = from && to && changedWords(from.text, to.text);
        budget.left -= 1;
        if (!found) continue;
        shown[index] = { ...from, words: found.from };
        shown[index + removed] = { ...to, words: found.to };
      }
    }
    at += Math.max(0, removed + added - 1);
  }
  return shown;
}

function runLength(lines: readonly Line[], from: number, op: Line['op']): number {
  let length = 0;
  while (lines[from + length]?.op === op) length += 1;
  return length;
}

function lineText({ text, words }: ShownLine): Content {
  if (words === undefined) return text;
  return words.map(({ text: part, changed }) => (changed ? html`<mark>${part}</mark>` : part));
}

function line(shown: ShownLine): Html {
  const { op } = shown;
  const { sign, said } = signs[op];
  const text = lineText(shown);
  const spoken = said !== '' && html`<span class="hidden">${said}</span>`;
  if (op === 'remove')
    return html`<div class="line remove" data-sign="${sign}">${spoken}<del dir="auto">${text}</del></div>`;
  if (op === 'add')
    return html`<div class="line add" data-sign="${sign}">${spoken}<ins dir="auto">${text}</ins></div>`;
  return html`<div class="line" data-sign="${sign}"><span dir="auto">${text}</span></div>`;
}

function hunk({ from_line, lines }: Hunk, budget: { left: number }): Html {
  const shown = withWords(lines, budget);
  return html`<p class="small">From line ${from_line}</p>
<div class="diff">${shown.map(line)}</div>`;
}

function titleChange({ title }: Diff): Content {
  const { from, to } = title;
  if (from === null || from === to) return null;
  const lines = [
    { op: 'remove', text: from },
    { op: 'add', text: to },
  ] as const;
  return html`<p class="small">Title</p>
<div class="diff">${withWords(lines, { left: 1 }).map(line)}</div>`;
}

/** Returns how much changed: `3 lines added, 1 line removed`. */
export function sizeOfChange({
  lines_added,
  lines_removed,
  title,
  metadata_changed,
}: Diff): string {
  const parts = [
    ...(lines_added > 0 ? [`${counted(lines_added, 'line')} added`] : []),
    ...(lines_removed > 0 ? [`${counted(lines_removed, 'line')} removed`] : []),
    ...(title.from !== title.to ? ['title changed'] : []),
    ...(metadata_changed ? ['details changed'] : []),
  ];
  return parts.length === 0 ? 'Nothing changed.' : `${parts.join(', ')}.`;
}

/** Returns all changes. */
export function changesOf(diff: Diff): Html {
  const budget = { left: comparedMax };
  const body: Content = diff.truncated
    ? html`<p class="note">Too much has changed to show it line by line.</p>`
    : diff.hunks.map((one) => hunk(one, budget));
  return html`${titleChange(diff)}${body}`;
}
