// Reads TypeScript sources for the architecture tests: files, imports, and the SQL in tagged templates.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Source {
  /** From the root of the repository. */
  readonly file: string;
  readonly text: string;
}

export interface Import {
  readonly specifier: string;
  readonly line: number;
}

export interface Template {
  /** As the database gets it, with `$1` for every value and with the statements that are put into it. */
  readonly text: string;
  readonly line: number;
}

/** The sources below `root` that match a glob, in order. */
export function readSources(root: string, ...patterns: string[]): Source[] {
  return globSync(patterns, {
    cwd: root,
    exclude: ['**/node_modules/**', '**/architecture-canary/**'],
  })
    .toSorted()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

export function isTest({ file }: Source): boolean {
  return file.endsWith('.test.ts');
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** What is imported or re-exported, dynamic imports of a fixed name included. */
export function importsOf({ text }: Source): Import[] {
  const found = text.matchAll(
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm,
  );
  return [...found].map((match) => ({
    specifier: match[1] ?? match[2] ?? match[3] ?? '',
    line: lineAt(text, match.index + match[0].length),
  }));
}

const regexMayFollow = /(?:^|[(,=:[!&|?{};+>]|\breturn|\btypeof|\bcase)\s*$/;

/** The index behind a comment, string or regular expression that begins at `at`, or `at` when none does. */
function skip(text: string, at: number): number {
  const rest = text.slice(at, at + 2);
  const behind = (end: number, length: number): number => (end < 0 ? text.length : end + length);
  if (rest === '//') return behind(text.indexOf('\n', at), 0);
  if (rest === '/*') return behind(text.indexOf('*/', at + 2), 2);
  const sticky = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : at;
  };
  if (rest[0] === "'" || rest[0] === '"') return sticky(/(['"])(?:\\[\s\S]|(?!\1)[^\\])*\1/y);
  if (rest[0] === '/' && regexMayFollow.test(text.slice(Math.max(0, at - 80), at))) {
    return sticky(/\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y);
  }
  return at;
}

interface Read {
  readonly templates: Template[];
  readonly end: number;
}

/** A template's text from behind its first backtick; the templates in its `${}` are put in place. */
function readTemplate(text: string, start: number): { text: string; end: number } {
  let body = '';
  let at = start;
  while (at < text.length && text[at] !== '`') {
    if (text.startsWith('${', at)) {
      const inner = readCode(text, at + 2, true);
      const parts = inner.templates.map((part) => part.text);
      const isWhere = /^\s*sql\.where\(/.test(text.slice(at + 2, at + 80));
      if (parts.length === 0) body += '$1';
      else body += isWhere ? `where ${parts.join(' and ')}` : parts.join(' ');
      at = inner.end;
    } else {
      const length = text[at] === '\\' ? 2 : 1;
      body += text.slice(at, at + length);
      at += length;
    }
  }
  return { text: body, end: at + 1 };
}

/** Code up to the end, or, inside `${}`, up to the brace that closes it. */
function readCode(text: string, start: number, inTemplate: boolean): Read {
  const templates: Template[] = [];
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const behind = skip(text, at);
    const character = text[at];
    if (behind > at) {
      at = behind;
    } else if (character === '`') {
      const isSql = /\bsql(?:<[^`]*>)?\s*$/.test(text.slice(Math.max(0, at - 300), at));
      const template = readTemplate(text, at + 1);
      if (isSql) templates.push({ text: template.text, line: lineAt(text, at) });
      at = template.end;
    } else {
      if (character === '{') depth += 1;
      if (character === '}') {
        if (inTemplate && depth === 0) return { templates, end: at + 1 };
        depth -= 1;
      }
      at += 1;
    }
  }
  return { templates, end: at };
}

/** Every template with the tag `sql`. One inside another is part of that one. */
export function templatesOf({ text }: Source): Template[] {
  return readCode(text, 0, false).templates;
}
