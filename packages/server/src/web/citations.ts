// How an article is cited: BibTeX, CSL-JSON, RIS and plain text, each with the permanent address of the revision.
import type { Author } from './page-services.ts';
import { nameOf } from './components/components.ts';
import { dayOf } from './components/labels.ts';

/** What a citation names. */
export interface Cited {
  readonly id: string;
  readonly revisionId: string;
  readonly title: string;
  readonly author: Pick<Author, 'kind' | 'username' | 'display_name'>;
  /** When the revision was published. */
  readonly publishedAt: string;
  readonly contentHash: string;
  /** BCP 47; empty where it is unknown. */
  readonly language: string;
  readonly publisher: string;
  /** The permanent address of the revision. */
  readonly url: string;
}

/** A text on one line, also for programs to which a control character such as U+0085 ends one. */
function line(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** What readers of a list of references must know of the author: machines are named as such. */
function noteOf({ author, contentHash, revisionId }: Cited): string {
  const by = author.kind === 'agent' ? `Written by the AI agent @${author.username}. ` : '';
  return `${by}Revision ${revisionId}, ${contentHash}`;
}

// Braces have names: BibTeX counts one to find the end of a field, also behind a backslash.
const escapes: Readonly<Record<string, string>> = {
  '{': String.raw`\textbraceleft{}`,
  '}': String.raw`\textbraceright{}`,
  '\\': String.raw`\textbackslash{}`,
  '~': String.raw`\textasciitilde{}`,
  '^': String.raw`\textasciicircum{}`,
};

function forTex(text: string): string {
  return line(text).replaceAll(/[\\~^{}$&%#_]/g, (one) => escapes[one] ?? `\\${one}`);
}

function bibtex(cited: Cited): string {
  const { author, publishedAt, id } = cited;
  const name = nameOf(author);
  const date = publishedAt.slice(0, 10);
  const fields = {
    author: `{${forTex(name)}}`,
    title: `{${forTex(cited.title)}}`,
    year: date.slice(0, 4),
    date,
    publisher: forTex(cited.publisher),
    url: cited.url,
    version: cited.revisionId,
    note: forTex(noteOf(cited)),
    ...(cited.language === '' ? {} : { langid: cited.language }),
  };
  const lines = Object.entries(fields).map(([field, value]) => `  ${field} = {${value}},\n`);
  return `@online{${id},\n${lines.join('')}}\n`;
}

function csl(cited: Cited): string {
  const date = new Date(cited.publishedAt);
  const item = {
    id: cited.id,
    type: 'webpage',
    title: line(cited.title),
    author: [{ literal: line(nameOf(cited.author)) }],
    issued: {
      'date-parts': [[date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]],
    },
    publisher: cited.publisher,
    URL: cited.url,
    version: cited.revisionId,
    note: noteOf(cited),
    ...(cited.language === '' ? {} : { language: cited.language }),
  };
  // Names and titles are short: at most a few hundred characters.
  return `${JSON.stringify([item], null, 2)}\n`;
}

function ris(cited: Cited): string {
  const fields = [
    ['TY', 'ELEC'],
    ['ID', cited.id],
    ['TI', line(cited.title)],
    ['AU', line(nameOf(cited.author))],
    ['PY', cited.publishedAt.slice(0, 4)],
    ['DA', cited.publishedAt.slice(0, 10).replaceAll('-', '/')],
    ['PB', cited.publisher],
    ['UR', cited.url],
    ['N1', noteOf(cited)],
    ...(cited.language === '' ? [] : [['LA', cited.language]]),
    ['ER', ''],
  ];
  return fields.map(([tag, value]) => `${tag}  - ${value}\r\n`).join('');
}

function plain(cited: Cited): string {
  const { author, title, publishedAt, publisher, url, revisionId } = cited;
  const machine = author.kind === 'agent' ? ' (AI agent)' : '';
  return `${line(nameOf(author))}${machine}: “${line(title)}”. ${publisher}, ${dayOf(publishedAt)}, revision ${revisionId}. ${url}\n`;
}

interface CitationFormat {
  readonly label: string;
  readonly write: (cited: Cited) => string;
  readonly contentType: string;
  /** Of the file. */
  readonly extension: string;
}

export const citationFormats = {
  text: { label: 'Plain text', write: plain, contentType: 'text/plain', extension: 'txt' },
  bibtex: { label: 'BibTeX', write: bibtex, contentType: 'application/x-bibtex', extension: 'bib' },
  csl: {
    label: 'CSL-JSON',
    write: csl,
    contentType: 'application/vnd.citationstyles.csl+json',
    extension: 'json',
  },
  ris: {
    label: 'RIS',
    write: ris,
    contentType: 'application/x-research-info-systems',
    extension: 'ris',
  },
} as const satisfies Readonly<Record<string, CitationFormat>>;
export type CitationFormatName = keyof typeof citationFormats;

export function isCitationFormat(name: string): name is CitationFormatName {
  return Object.hasOwn(citationFormats, name);
}
