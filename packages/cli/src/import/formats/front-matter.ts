// Front matter of Markdown files: YAML, TOML and JSON, and what its members mean.
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { isObject, parseJson } from '../json.ts';
import { refusal } from '../source.ts';

type Row = Readonly<Record<string, unknown>>;

export interface FrontMatter {
  readonly members: Row;
  /** The text after it. */
  readonly body: string;
}

/** Returns the end of the JSON object at the start of a text, or -1. */
function jsonEnd(text: string): number {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isString) {
      if (character === '\\') at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** Plain values: times of TOML and YAML become texts. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

function parseWith(read: () => unknown, format: string): Row {
  let value: unknown;
  try {
    value = plain(read());
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    throw refusal(`Its front matter is not valid ${format}: ${reason}`, error);
  }
  if (value === null || value === undefined) return {};
  if (isObject(value)) return value;
  throw refusal(`Its front matter is not a list of members, but one value.`);
}

/** A document of YAML ends with three hyphens or three dots, and Jekyll reads both. The first such line ends it. */
const fences = [
  [/^---[ \t]*\n(?:([\s\S]*?)\n)??(?:---|\.\.\.)[ \t]*(?:\n|$)/, 'YAML'],
  [/^\+\+\+[ \t]*\n(?:([\s\S]*?)\n)??\+\+\+[ \t]*(?:\n|$)/, 'TOML'],
] as const;

function readYaml(text: string): unknown {
  // Aliases could make a small text huge.
  return parseYaml(text, { maxAliasCount: 20, logLevel: 'error' });
}

/** Returns the members of YAML. @throws a refusal for other texts */
export function readYamlMembers(yaml: string): Row {
  return parseWith(() => readYaml(yaml), 'YAML');
}

/** Splits a file. @throws a refusal for front matter that cannot be parsed */
export function splitFrontMatter(file: string): FrontMatter {
  const text = file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  for (const [pattern, format] of fences) {
    const [whole, inside = ''] = pattern.exec(text) ?? [];
    if (whole === undefined) continue;
    const read = () => (format === 'YAML' ? readYaml(inside) : parseToml(inside));
    return { members: parseWith(read, format), body: text.slice(whole.length) };
  }
  const end = /^\{\s*(?:"|\})/.test(text) ? jsonEnd(text) : -1;
  // A text that begins with a brace may have no front matter: Liquid, or code.
  if (end < 0 || !/^[ \t]*(?:\n|$)/.test(text.slice(end))) return { members: {}, body: text };
  const members = parseWith(() => parseJson(text.slice(0, end), 'It'), 'JSON');
  return { members, body: text.slice(end).replace(/^[ \t]*\n/, '') };
}

const usualNames = new Map(
  'title date publishDate pubDate draft expiryDate tags categories description summary slug canonicalURL lang language image author authors aliases keywords lastmod series url'
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
);

/** Returns members with the usual spelling of their names, which Hugo reads in any case. */
export function withUsualNames(members: Row): Row {
  const named = Object.entries(members).map(([name, value]) => {
    const usual = usualNames.get(name.toLowerCase()) ?? name;
    return [usual in members ? name : usual, value] as const;
  });
  return Object.fromEntries(named);
}

/** Returns the first member with a text among several names. */
export function textIn(members: Row, ...names: readonly string[]): string {
  for (const name of names) {
    const value = members[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return '';
}

/** Returns a list of names: an array, or a text with commas; `isSpaced` also splits at spaces, as Jekyll does. */
export function namesIn(members: Row, name: string, isSpaced: boolean): readonly string[] {
  const value = members[name];
  const list = Array.isArray(value)
    ? (value as unknown[])
    : typeof value === 'string'
      ? [value]
      : [];
  const texts = list.flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [String(each)] : [],
  );
  if (Array.isArray(value)) return texts;
  return texts.flatMap((text) => text.split(isSpaced ? /[,\s]+/ : /,/)).map((text) => text.trim());
}
