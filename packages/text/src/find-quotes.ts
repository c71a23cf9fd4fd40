// The worker side of quotations: finds those in comments that stood in an earlier text and are not in the present one.
import { toNormalForm } from './lib/normal-form.ts';
import { worker } from './lib/worker.ts';

/** A comment with the position of the text that was shown when it was written. */
export interface QuotingComment {
  readonly id: string;
  /** As rendered. */
  readonly html: string;
  /** The position in `earlier`. */
  readonly shownText: number;
}

export interface QuotesTask {
  /** The Markdown of the text as it is now. */
  readonly now: string;
  /** The Markdown of earlier texts. */
  readonly earlier: readonly string[];
  readonly comments: readonly QuotingComment[];
}

/** A comment, and which of its outermost quotes have changed, from 0. */
export interface ChangedQuotes {
  readonly id: string;
  readonly quotes: readonly number[];
}

/** Letters and digits of a passage; a shorter one is found in any text. */
const passageLeast = 8;

/** Returns only the letters and digits: quoting changes spaces, marks and line breaks. */
function lettersOf(text: string): string {
  return toNormalForm(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '')
    .toLowerCase();
}

const entity = /&(?:[a-z]{2,8}|#\d{1,7}|#x[0-9a-f]{1,6});/gi;

/**
 * Returns the letters of a Markdown text, without what readers do not see. A selection contains the numbers of
 * footnotes, a quote that was typed does not: `numbered` keeps them.
 */
function lettersOfText(markdown: string, numbered: boolean): string {
  const numbers = new Map<string, number>();
  const numberOf = (label: string) => {
    numbers.set(label, numbers.get(label) ?? numbers.size + 1);
    return numbered ? String(numbers.get(label)) : '';
  };
  const shown = markdown
    .replaceAll(/\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}(?:\s+"[^"\n]{0,300}")?\)/g, ']')
    .replaceAll(/^ {0,3}\[[^\]\n^]{1,200}\]:.*$/gm, '')
    .replaceAll(/^ {0,3}(?:`{3,}|~{3,}).*$/gm, '')
    .replaceAll(/\[[ xX]\] /g, '')
    .replaceAll(/\[\^([^\]\s]{1,200})\](?!:)/g, (_, label: string) => numberOf(label))
    .replaceAll(entity, '');
  return lettersOf(shown);
}

interface Letters {
  readonly plain: string;
  readonly numbered: string;
}

function lettersIn(markdown: string): Letters {
  return {
    plain: lettersOfText(markdown, false),
    numbered: lettersOfText(markdown, true),
  };
}

const quoteTag = /<(\/?)blockquote(?=[ >])[^>]*>/g;

/** Returns the HTML of the outermost quotes. In the output of the renderer, `<` stands only in tags. */
function quotesIn(html: string): readonly string[] {
  const quotes: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: tag, 1: slash, index } of html.matchAll(quoteTag)) {
    if (slash === '') {
      if (depth === 0) start = index + tag.length;
      depth += 1;
      continue;
    }
    depth -= 1;
    if (depth === 0) quotes.push(html.slice(start, index));
  }
  return quotes;
}

/** Returns the letters of the paragraphs and other blocks of a quote. */
function passagesOf(quote: string): readonly string[] {
  return quote
    .split(/<\/?(?:p|li|h[1-6]|pre|blockquote|td|th|ul|ol|table)(?=[ >])[^>]*>/)
    .map((block) => lettersOf(block.replaceAll(/<[^<>]*>/g, '').replaceAll(entity, '')))
    .filter((letters) => letters.length >= passageLeast);
}

function stands(passage: string, { plain, numbered }: Letters): boolean {
  return plain.includes(passage) || numbered.includes(passage);
}

/**
 * Returns the comments with quotes that have changed. A quote that stood in neither text is from elsewhere, and is
 * not reported.
 */
export function findChangedQuotes({
  now,
  earlier,
  comments,
}: QuotesTask): readonly ChangedQuotes[] {
  const present = lettersIn(now);
  const past = earlier.map(lettersIn);
  return comments.flatMap(({ id, html, shownText }) => {
    const before = past[shownText];
    if (before === undefined) return [];
    const quotes = quotesIn(html).flatMap((quote, at) =>
      passagesOf(quote).some((one) => stands(one, before) && !stands(one, present)) ? [at] : [],
    );
    return quotes.length === 0 ? [] : [{ id, quotes }];
  });
}

/** Piscina calls the default export of a worker's file. */
// oxlint-disable-next-line import/no-default-export
export default worker(findChangedQuotes);
