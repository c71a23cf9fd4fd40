// Slugs of titles and topics, and the address of an article, which contains one.
import { toNormalForm } from '@colophon/text/lib/normal-form';
import { readStored } from './stored-json.ts';
import { hiddenCharacter } from '@colophon/text/lib/visible-text';

const MAX_SLUG = 60;
/**
 * UTF-16 units of a decomposed title that usually suffice for a slug. A title of 300 characters may have
 * 5,400, which take 20 times as long.
 */
const FIRST_PIECE = 128;
const MAX_TOPICS = 10;
const MIN_TOPIC = 2;
const MAX_TOPIC = 50;
/** Entries that are not topics are skipped, but no more than this many entries are examined. */
const MAX_ENTRIES = 20;

const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** Latin letters whose ASCII form is not their Unicode decomposition. */
const LATIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŋ: 'ng',
  ı: 'i',
};
const LATIN_LETTER = new RegExp(`[${Object.keys(LATIN).join('')}]`, 'g');

const BEYOND_ASCII = /[^\0-\x7f]/;

/** Returns a text in lower case, its Latin letters without marks: Köln → koln, Øresund → oresund. */
export function stripDiacritics(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  const folded = toNormalForm(text, 'NFKD')
    .toLowerCase()
    // In other scripts marks are part of the letter: й is not и, が is not か.
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .replaceAll(LATIN_LETTER, (letter) => LATIN[letter] ?? letter);
  return toNormalForm(folded);
}

/**
 * Returns the readable part of an article's URL: lower case, Latin letters without marks, letters and digits
 * of other scripts kept, everything between them one `-`, at most 60 code points cut at a word boundary.
 * Returns `article` when nothing is left. Not percent-encoded: the code that builds a URL encodes it.
 */
export function slugify(title: string): string {
  if (!BEYOND_ASCII.test(title)) return cutAtWord(asciiWords(title)) || 'article';
  const decomposed = toNormalForm(title, 'NFKD');
  let slug = '';
  for (let length = FIRST_PIECE; ; length *= 4) {
    slug = joinedWords(decomposed.slice(0, length));
    // The last letters may change with the ones that follow them, and may be after the cut.
    if (length >= decomposed.length || [...slug].length >= MAX_SLUG + 4) break;
  }
  return cutAtWord(slug) || 'article';
}

/** Does what `joinedWords` does, for a title of which nothing has another form: a list has one for each item. */
function asciiWords(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/(?<=[a-z])'(?=[a-z])/g, '')
    .match(/[a-z0-9]+/g);
  return (words ?? []).join('-');
}

function joinedWords(title: string): string {
  const folded = toNormalForm(stripDiacritics(title).replaceAll(/(?<=\p{L})['’ʼ](?=\p{L})/gu, ''));
  return (folded.match(WORDS) ?? []).join('-');
}

/**
 * Returns the canonical form of a topic: NFKC, lower case, letters and digits of any script joined by `-`;
 * `+` and `#` are kept after a letter or digit and `.` between two (`c++`, `c#`, `node.js`). Returns
 * undefined when fewer than 2 or more than 50 code points are left. Not percent-encoded.
 */
export function topicSlug(text: string): string | undefined {
  // A longer text cannot be a topic, and folding it costs time. One character can become 18.
  if (text.length > MAX_TOPIC * 4) return undefined;
  const plain = toNormalForm(text, 'NFKC');
  if (plain.length > MAX_TOPIC * 4) return undefined;
  // Lower case may not be in NFKC (ϓ is an example), so it is normalised twice.
  const folded = toNormalForm(plain.toLowerCase(), 'NFKC');
  const words = folded.match(/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}+#]|\.(?=[\p{L}\p{N}]))*/gu) ?? [];
  const slug = words.join('-');
  const length = [...slug].length;
  return length < MIN_TOPIC || length > MAX_TOPIC ? undefined : slug;
}

/** A topic of an article: `name` is the spelling that the article uses. */
export interface NamedTopic {
  readonly slug: string;
  readonly name: string;
}

/** One line of visible text; the slug replaces a spelling that is not visible or too long. */
function topicName(text: string, slug: string): string {
  const name = toNormalForm(text).replaceAll(/\s+/gu, ' ').trim();
  return hiddenCharacter(name) === undefined && [...name].length <= MAX_TOPIC ? name : slug;
}

/**
 * Maps slugs to the texts they were made of, for the first 10 different topics among the first 20 entries.
 */
function topicTexts(metadata: unknown): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  if (typeof metadata !== 'object' || metadata === null || !('topics' in metadata)) return texts;
  const named: unknown = metadata.topics;
  if (!Array.isArray(named)) return texts;
  for (const text of (named as unknown[]).slice(0, MAX_ENTRIES)) {
    const slug = typeof text === 'string' ? topicSlug(text) : undefined;
    if (slug !== undefined && !texts.has(slug)) texts.set(slug, text as string);
    if (texts.size === MAX_TOPICS) break;
  }
  return texts;
}

/**
 * Returns the topics in an article's free-form metadata: the first 10 different ones among the first 20
 * entries of the array `metadata.topics`. Entries that are not topics are skipped and never an error.
 */
export function topicsOf(metadata: unknown): string[] {
  return [...topicTexts(metadata).keys()];
}

/**
 * Parses the part of the metadata that `topicsOf` reads, from the stored RFC 8785 form. Most metadata name no
 * topics and are not parsed: parsing an object of many members takes a millisecond.
 */
export function topicMetadata(stored: string): unknown {
  return stored.includes('"topics":[') ? readStored(stored) : undefined;
}

/** Returns the same topics with their names, as the article first spells them. */
export function namedTopicsOf(metadata: unknown): NamedTopic[] {
  return [...topicTexts(metadata)].map(([slug, text]) => ({ slug, name: topicName(text, slug) }));
}

function cutAtWord(slug: string): string {
  if (slug.length <= MAX_SLUG) return slug;
  const points = [...slug];
  if (points.length <= MAX_SLUG) return slug;
  const cut = points.slice(0, MAX_SLUG);
  const border = points[MAX_SLUG] === '-' ? MAX_SLUG : cut.lastIndexOf('-');
  // Scripts without spaces have no word boundary to cut at.
  return (border > 0 ? cut.slice(0, border) : cut).join('');
}

/** Returns the path of an article: the slug is for people, the id identifies the article. */
export function articlePath(username: string, title: string, id: string): string {
  return `/@${username}/${encodeURIComponent(slugify(title))}-${id}`;
}

/** Returns the address of the page that shows an article. */
export function articleUrl(
  baseUrl: string,
  row: { readonly username: string; readonly title: string | null; readonly id: string },
): string {
  return `${baseUrl}${articlePath(row.username, row.title ?? '', row.id)}`;
}
