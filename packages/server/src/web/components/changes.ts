// The changes from one text to another, by lines with the words that differ: one below the other, or side by side.
import { yieldAfterPieces } from '#lib/pieces';
import { directionOfText } from '@colophon/text/lib/writing-direction';
import type { MarkedHunk, MarkedLine } from '@colophon/text';
import type { PageContext } from '../context.ts';
import { html } from '../html.ts';
import type { Content, Html } from '../html.ts';
import type { LongText } from '../long-texts.ts';
import type { Diff } from '../page-services.ts';
import { formatCount } from './labels.ts';

/** How changes are shown: lines below each other, or the two texts beside each other. */
export type View = 'inline' | 'sides';

const signs = {
  keep: { sign: ' ', said: '' },
  remove: { sign: '−', said: 'Removed: ' },
  add: { sign: '+', said: 'Added: ' },
} as const;

/** The elements of lines, made in pieces: a line may be a whole text. */
type Elements = ReadonlyMap<MarkedLine, Html>;

/** In UTF-16 units: what the elements of a short line take, beside its text. */
const unitsAround = 100;

async function lineText(longText: LongText, { text, words }: MarkedLine): Promise<Content> {
  if (words === undefined) return longText(text);
  const parts: Content[] = [];
  for (const { text: part, changed } of words) {
    const shown = await longText(part);
    parts.push(changed ? html`<mark>${shown}</mark>` : shown);
  }
  return parts;
}

/** By the first letter alone, a Hebrew line that begins with a Latin name would run from left to right. */
function lineElement({ op, text: plain }: MarkedLine, text: Content): Html {
  const direction = directionOfText(plain);
  const { said } = signs[op];
  const spoken = said !== '' && html`<span class="hidden">${said}</span>`;
  if (op === 'remove') return html`${spoken}<del dir="${direction}">${text}</del>`;
  if (op === 'add') return html`${spoken}<ins dir="${direction}">${text}</ins>`;
  return html`<span dir="${direction}">${text}</span>`;
}

async function elementsOf(longText: LongText, lines: readonly MarkedLine[]): Promise<Elements> {
  const elements = new Map<MarkedLine, Html>();
  const yieldIfDue = yieldAfterPieces();
  for (const one of lines) {
    elements.set(one, lineElement(one, await lineText(longText, one)));
    await yieldIfDue(unitsAround + one.text.length);
  }
  return elements;
}

function line(shown: MarkedLine, elements: Elements): Html {
  const { op } = shown;
  const kind = op === 'keep' ? 'line' : `line ${op}`;
  return html`<div class="${kind}" data-sign="${signs[op].sign}">${elements.get(shown)}</div>`;
}

function inline(lines: readonly MarkedLine[], elements: Elements): Html {
  return html`<div class="diff">${lines.map((one) => line(one, elements))}</div>`;
}

type Row = readonly [from: MarkedLine | undefined, to: MarkedLine | undefined];

/** Whether a line waits until the other side has reached its counterpart. */
function waits(own: MarkedLine | undefined, other: MarkedLine | undefined): boolean {
  return own?.pair !== undefined && other !== undefined && other.pair === undefined;
}

/** Returns the rows of a run of removed lines and the added lines after it: counterparts stand beside each other. */
function rowsOfRun(removed: readonly MarkedLine[], added: readonly MarkedLine[]): readonly Row[] {
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  while (i < removed.length || j < added.length) {
    const [from, to] = [removed[i], added[j]];
    const [isFromLater, isToLater] = [waits(from, to), waits(to, from)];
    rows.push([isFromLater ? undefined : from, isToLater ? undefined : to]);
    i += isFromLater ? 0 : 1;
    j += isToLater ? 0 : 1;
  }
  return rows;
}

function rowsOf(lines: readonly MarkedLine[]): readonly Row[] {
  const rows: Row[] = [];
  let [removed, added]: [MarkedLine[], MarkedLine[]] = [[], []];
  const end = () => {
    rows.push(...rowsOfRun(removed, added));
    [removed, added] = [[], []];
  };
  for (const one of lines) {
    if (one.op === 'add') added.push(one);
    else if (one.op === 'remove') {
      if (added.length > 0) end();
      removed.push(one);
    } else {
      end();
      rows.push([one, one]);
    }
  }
  end();
  return rows;
}

function cell(shown: MarkedLine | undefined, elements: Elements): Html {
  if (shown === undefined) return html`<td class="none"></td>`;
  const { op } = shown;
  const kind = op === 'keep' ? 'line' : `line ${op}`;
  return html`<td class="${kind}" data-sign="${signs[op].sign}">${elements.get(shown)}</td>`;
}

function sides(lines: readonly MarkedLine[], elements: Elements): Html {
  const rows = rowsOf(lines).map(
    ([from, to]) => html`<tr>${cell(from, elements)}${cell(to, elements)}</tr>
`,
  );
  return html`<table class="diff sides"><thead><tr><th scope="col">Before</th><th scope="col">After</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

const views = { inline, sides } as const;

function titleLines({ title }: Diff): readonly MarkedHunk['lines'][number][] {
  const { from, to } = title;
  if (from === null || from === to) return [];
  return [
    { op: 'remove', text: from },
    { op: 'add', text: to },
  ];
}

/** Returns how much changed: `3 lines added, 1 line removed`. */
export function sizeOfChange({
  lines_added,
  lines_removed,
  title,
  metadata_changed,
}: Diff): string {
  const parts = [
    ...(lines_added > 0 ? [`${formatCount(lines_added, 'line')} added`] : []),
    ...(lines_removed > 0 ? [`${formatCount(lines_removed, 'line')} removed`] : []),
    ...(title.from !== title.to ? ['title changed'] : []),
    ...(metadata_changed ? ['details changed'] : []),
  ];
  return parts.length === 0 ? 'Nothing changed.' : `${parts.join(', ')}.`;
}

/** Returns all changes. */
export async function changesOf(
  { markWords, longText }: Pick<PageContext, 'markWords' | 'longText'>,
  diff: Diff,
  view: View = 'inline',
): Promise<Html> {
  const title = titleLines(diff);
  const titles = { from_line: 1, from_count: 1, to_line: 1, to_count: 1, lines: [...title] };
  const [ofTitle, ...hunks] = await markWords([titles, ...(diff.truncated ? [] : diff.hunks)]);
  const show = async (lines: readonly MarkedLine[]) =>
    views[view](lines, await elementsOf(longText, lines));
  const shown: Html[] = [];
  for (const { from_line, lines } of hunks)
    shown.push(html`<p class="small">From line ${from_line}</p>
${await show(lines)}`);
  const body: Content = diff.truncated
    ? html`<p class="note">Too much has changed to show it line by line.</p>`
    : shown;
  return html`${
    title.length > 0 &&
    html`<p class="small">Title</p>
${await show(ofTitle?.lines ?? title)}`
  }${body}`;
}
