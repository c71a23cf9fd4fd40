// A Markdown file that becomes an article: its text, its settings, and its place on the service.
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BodyAnswer, InputOf, ProvenText } from '@colophon/sdk';
import { readNamed, textOf } from '../api/values.ts';
import { dateHint, timeOf } from '../dates.ts';
import { failure } from '../failures.ts';
import { isObject, toJson } from '../json.ts';
import { replaceFile } from '../profiles/private-file.ts';
import type { Terminal } from '../terminal.ts';
import { splitAtCommas } from '../words.ts';
import { joinFile, readValues, setValues, splitFile } from './front-matter.ts';
import type { Parts, Values } from './front-matter.ts';

export type Text = Required<ProvenText> & { readonly metadata: Record<string, unknown> };

type Settings = Omit<InputOf<'createArticle'>, keyof Text | 'dry_run'>;

export interface Manuscript {
  /** As the user named it. */
  readonly name: string;
  readonly parts: Parts;
  readonly text: Text;
  readonly settings: Settings;
  readonly id: string | undefined;
  /** The revision that the file is based on. */
  readonly revision_id: string | undefined;
  readonly published_at: string | undefined;
  /** Whether the title is the heading of the text. */
  readonly hasHeading: boolean;
}

const settingNames = ['visibility', 'authorship_disclosure', 'language', 'canonical_url'] as const;
const heading = /^# +(?! )(.+)$/;
const closingMarks = /(?<! ) +#+$/;

function textIn(values: Values, name: string, file: string): string | undefined {
  const value = values[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw failure(`${name} in ${file} must be a text.`, `Write ${name}: "…" in quotes.`);
}

/** Returns a date as the service takes it. */
function timeIn(values: Values, name: string, file: string): string | undefined {
  const text = textIn(values, name, file);
  if (text === undefined) return undefined;
  const time = timeOf(text.trim());
  if (time !== undefined) return time;
  throw failure(`${name} in ${file} is not a date: ${text}.`, dateHint);
}

function metadataIn(values: Values, file: string): Record<string, unknown> {
  const { metadata = {}, topics } = values;
  if (!isObject(metadata)) throw failure(`metadata in ${file} must be names and values.`);
  if (topics === undefined || topics === null) return { ...metadata };
  if (typeof topics !== 'string') return { ...metadata, topics };
  // Without brackets YAML reads one text, and the service would make one topic of all words.
  return { ...metadata, topics: splitAtCommas(topics).filter((topic) => topic !== '') };
}

/** A body without line breaks at its ends; they belong to the file and not to the text. */
const trimBody = (body: string) => body.replaceAll('\r\n', '\n').replace(/^\n+|(?<!\n)\n+$/g, '');

/** The title is in the front matter, or it is the heading that the text begins with. */
function withTitle(values: Values, body: string, name: string) {
  const title = textIn(values, 'title', name);
  if (title !== undefined) return { title, content: body };
  const [first = '', ...rest] = body.split('\n');
  const [, found] = heading.exec(first) ?? [];
  if (found !== undefined)
    return { title: found.replace(closingMarks, ''), content: trimBody(rest.join('\n')) };
  throw failure(
    `${name} has no title.`,
    'Begin the text with `# Title`, or write `title: …` in the front matter.',
  );
}

/** Returns the manuscript in a text. */
function parseManuscript(source: string, name: string): Manuscript {
  const parts = splitFile(source);
  const values = readValues(parts.yaml, name);
  const settings = Object.fromEntries(
    settingNames.map((setting) => [setting, textIn(values, setting, name)]),
  ) as Settings;
  return {
    name,
    parts,
    text: { ...withTitle(values, trimBody(parts.body), name), metadata: metadataIn(values, name) },
    settings,
    id: textIn(values, 'id', name),
    revision_id: textIn(values, 'revision_id', name),
    published_at: timeIn(values, 'published_at', name),
    hasHeading: values['title'] === undefined || values['title'] === null,
  };
}

/** Reads a manuscript. */
export async function readManuscript(terminal: Terminal, name: string): Promise<Manuscript> {
  return parseManuscript(textOf(await readNamed(terminal, name), name), name);
}

/** Replaces a file of the user: the file that a link leads to, with its mode. */
export async function rewrite(terminal: Terminal, name: string, content: string): Promise<void> {
  const file = await realpath(resolve(terminal.folder, name));
  await replaceFile(file, content, (await stat(file)).mode & 0o777);
}

/** Writes values into the front matter of the file as it is now: changes made meanwhile are kept. */
export async function writeBack(terminal: Terminal, name: string, values: Values): Promise<void> {
  const source = textOf(await readNamed(terminal, name), name);
  const changed = joinFile(setValues(splitFile(source), values, name));
  if (changed !== source) await rewrite(terminal, name, changed);
}

/** Whether two texts are the same, apart from line breaks at their ends. */
export function isSameText(one: ProvenText, other: ProvenText): boolean {
  return (
    one.title === other.title &&
    trimBody(one.content) === trimBody(other.content) &&
    toJson(sortKeys(one.metadata ?? {})) === toJson(sortKeys(other.metadata ?? {}))
  );
}

/** The order of members has no meaning. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, sortKeys(member)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the front matter of an article as the service has it. */
export function valuesOf(
  article: BodyAnswer<'readArticle'>,
  revision: Text & { readonly revision_id: string },
): Values {
  const { topics, ...metadata } = revision.metadata;
  return {
    id: article.id,
    title: revision.title,
    visibility: article.visibility,
    language: article.language ?? undefined,
    authorship_disclosure: article.authorship_disclosure,
    canonical_url: article.canonical_url ?? undefined,
    topics,
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    revision_id: revision.revision_id,
  };
}
