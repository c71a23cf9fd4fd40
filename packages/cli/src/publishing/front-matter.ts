// YAML front matter of Markdown files: read with care, and changed without touching anything else in it.
import { isMap, isPair, isScalar, parseDocument, stringify } from 'yaml';
import type { Document, Pair } from 'yaml';
import { failure } from '../failures.ts';
import { isObject } from '../json.ts';

export interface Parts {
  /** The text between the two lines `---`, with its line breaks; empty without front matter. */
  readonly yaml: string;
  readonly body: string;
  /** The line break of the file. */
  readonly newline: '\n' | '\r\n';
  readonly mark: '' | '\ufeff';
}

export type Values = Readonly<Record<string, unknown>>;

const opening = /^---[ \t]*\r?\n/;
const closing = /^---[ \t]*(?:\r?\n|$)/m;

/** Splits a file into front matter and body. A body without front matter gets an empty line before it. */
export function splitFile(text: string): Parts {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const rest = text.slice(mark.length);
  const newline = /\r\n/.test(rest) ? '\r\n' : '\n';
  const begin = opening.exec(rest);
  const inner = rest.slice(begin?.[0].length ?? 0);
  const end = begin === null ? null : closing.exec(inner);
  if (end === null) return { yaml: '', body: `${newline}${rest}`, newline, mark };
  return {
    yaml: inner.slice(0, end.index),
    body: inner.slice(end.index + end[0].length),
    newline,
    mark,
  };
}

/** Returns the file of its parts. */
export function joinFile({ yaml, body, newline, mark }: Parts): string {
  const ended = yaml === '' || yaml.endsWith('\n') ? yaml : yaml + newline;
  return `${mark}---${newline}${ended}---${newline}${body}`;
}

function documentOf(yaml: string, file: string): Document {
  const document = parseDocument(yaml);
  const [error] = document.errors;
  if (error === undefined) return document;
  throw failure(`The front matter of ${file} is not valid YAML: ${error.message}`, 'Correct it.');
}

/** Returns the values of front matter. @throws Failure for YAML that is wrong or not a mapping */
export function readValues(yaml: string, file: string): Values {
  const values: unknown = documentOf(yaml, file).toJS({ maxAliasCount: 50 });
  if (values === null || values === undefined) return {};
  if (isObject(values)) return values;
  throw failure(
    `The front matter of ${file} is not a list of names and values.`,
    'Write `name: value` lines.',
  );
}

const inline = (value: unknown) =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, defaultStringType: 'PLAIN' }).trimEnd();

function pairOf(document: Document, name: string): Pair | undefined {
  if (!isMap(document.contents)) return undefined;
  return document.contents.items.find(
    (item): item is Pair => isPair(item) && isScalar(item.key) && item.key.value === name,
  );
}

interface Ranged {
  readonly range?: readonly [number, number, number] | null;
}

/** The place of a value in the text; undefined where it has none. */
function placeOf(pair: Pair): readonly [number, number] | undefined {
  const [begin, end] = (pair.value as Ranged | null)?.range ?? [];
  return begin === undefined || end === undefined ? undefined : [begin, end];
}

/** Replaces the text of one value. What follows it, such as a comment, stays. */
function replaceValue(yaml: string, [begin, end]: readonly [number, number], value: string) {
  const lineEnd = /(?<!\s)\s*$/.exec(yaml.slice(begin, end))?.[0] ?? '';
  const space = begin > 0 && yaml[begin - 1] === ':' ? ' ' : '';
  return yaml.slice(0, begin) + space + value + lineEnd + yaml.slice(end);
}

function setOne(parts: Parts, name: string, value: unknown, file: string): string {
  const { yaml, newline } = parts;
  const document = documentOf(yaml, file);
  const pair = pairOf(document, name);
  const place = pair === undefined ? undefined : placeOf(pair);
  if (place !== undefined) return replaceValue(yaml, place, inline(value));
  const isFlow = isMap(document.contents) && document.contents.flow === true;
  if (isFlow || pair !== undefined) {
    document.set(name, value);
    return document.toString({ lineWidth: 0 });
  }
  const ended = yaml === '' || yaml.endsWith('\n') ? yaml : yaml + newline;
  return `${ended}${name}: ${inline(value)}${newline}`;
}

/** Returns the parts with other values: existing ones in their place, new ones at the end. */
export function setValues(parts: Parts, values: Values, file: string): Parts {
  let changed = parts;
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) changed = { ...changed, yaml: setOne(changed, name, value, file) };
  }
  return changed;
}
