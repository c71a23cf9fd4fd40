// Slugs: what of a title goes into an address, and what a topic is called.
import { toNormalForm } from './normal-form.ts';
import { readStored } from './stored-json.ts';
import { hiddenCharacter } from './visible-text.ts';

const MAX_SLUG = 60;
/**
 * UTF-16 units of a decomposed title that a slug is mostly made of. A title of 300 characters may have 5,400,
 * which take 20 times as long.
 */
const FIRST_PIECE = 128;
const MAX_TOPICS = 10;
const MIN_TOPIC = 2;
const MAX_TOPIC = 50;
/** What is no topic is left out, however much of it an author writes: that many entries are looked at. */
const MAX_ENTRIES = 20;

const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** Latin letters whose ASCII form Unicode does not know as a decomposition. */
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

/** A text in lower case, its Latin letters without their marks: Köln → koln, Øresund → oresund. */
export function stripDiacritics(text: string): string {
  const folded = toNormalForm(text, 'NFKD')
    .toLowerCase()
    // Marks belong to the letter in other scripts: й is not и, が is not か.
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .replaceAll(LATIN_LETTER, (letter) => LATIN[letter] ?? letter);
  return toNormalForm(folded);
}

/**
 * The part of an article's address that people read: lower case, Latin letters without their marks,
 * letters and digits of other scripts kept, everything between them one `-`, at most 60 code points
 * cut at the border of a word. `article` when nothing is left. Not percent-encoded: whoever builds a
 * URL encodes it.
 */
export function slugify(title: string): string {
  const decomposed = toNormalForm(title, 'NFKD');
  let slug = '';
  for (let length = FIRST_PIECE; ; length *= 4) {
    slug = joinedWords(decomposed.slice(0, length));
    // The last letters may look different with what follows them, and lie behind the cut.
    if (length >= decomposed.length || [...slug].length >= MAX_SLUG + 4) break;
  }
  return cutAtWord(slug) || 'article';
}

function joinedWords(title: string): string {
  const folded = toNormalForm(stripDiacritics(title).replaceAll(/(?<=\p{L})['’ʼ](?=\p{L})/gu, ''));
  return (folded.match(WORDS) ?? []).join('-');
}

/**
 * A topic's one spelling: NFKC, lower case, letters and digits of any script joined by `-`; `+` and
 * `#` stay behind a letter or digit and `.` stays between two (`c++`, `c#`, `node.js`). Undefined when
 * fewer than 2 or more than 50 code points are left. Not percent-encoded.
 */
export function topicSlug(text: string): string | undefined {
  // Longer texts could only be cut to fit, and folding them costs time. One character can become 18.
  if (text.length > MAX_TOPIC * 4) return undefined;
  const plain = toNormalForm(text, 'NFKC');
  if (plain.length > MAX_TOPIC * 4) return undefined;
  // Lower case can leave NFKC (ϓ does), hence twice.
  const folded = toNormalForm(plain.toLowerCase(), 'NFKC');
  const words = folded.match(/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}+#]|\.(?=[\p{L}\p{N}]))*/gu) ?? [];
  const slug = words.join('-');
  const length = [...slug].length;
  return length < MIN_TOPIC || length > MAX_TOPIC ? undefined : slug;
}

/** A topic as an article has it: `name` is how the article spells it. */
export interface NamedTopic {
  readonly slug: string;
  readonly name: string;
}

/** One line that shows what it is; the slug stands in for a spelling that does not, or is too long. */
function topicName(text: string, slug: string): string {
  const name = toNormalForm(text).replaceAll(/\s+/gu, ' ').trim();
  return hiddenCharacter(name) === undefined && [...name].length <= MAX_TOPIC ? name : slug;
}

/** Slug → the text that it was made of, of the first 10 different topics among the first 20 entries. */
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
 * The topics that an article's free-form metadata names: the first 10 different ones among the first 20
 * entries of the array `metadata.topics`. What is no topic is left out and never an error.
 */
export function topicsOf(metadata: unknown): string[] {
  return [...topicTexts(metadata).keys()];
}

/**
 * Metadata as far as `topicsOf` looks at them, of the RFC 8785 form that is stored. Most name no topics, and
 * are not read: an object of many members takes a millisecond.
 */
export function topicMetadata(stored: string): unknown {
  return stored.includes('"topics":[') ? readStored(stored) : undefined;
}

/** The same with their names, each as the article spells it first. */
export function namedTopicsOf(metadata: unknown): NamedTopic[] {
  return [...topicTexts(metadata)].map(([slug, text]) => ({ slug, name: topicName(text, slug) }));
}

function cutAtWord(slug: string): string {
  const points = [...slug];
  if (points.length <= MAX_SLUG) return slug;
  const cut = points.slice(0, MAX_SLUG);
  const border = points[MAX_SLUG] === '-' ? MAX_SLUG : cut.lastIndexOf('-');
  // Scripts that write without spaces have no border to cut at.
  return (border > 0 ? cut.slice(0, border) : cut).join('');
}
