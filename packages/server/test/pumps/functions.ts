// The functions of the sources that take texts, and texts that are made to be slow.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawSample } from '../faults/sampled.ts';
import type { Pump } from './linear.ts';

/** An exported function whose first parameter is a text, bytes, or anything at all. */
const onText =
  /^export (?:async )?function\*? (\w+)(?:<[^(]*>)?\(\s*\w+: (?:string|unknown|Buffer|T)\b(?!\[)/gm;

/** Every exported function of a folder that takes a text, as `file.ts name`. */
export function functionsOnTexts(root: string, pattern: string): string[] {
  const files = globSync(pattern, { cwd: root, exclude: ['**/*.test.ts', '**/*.d.ts'] });
  return files.toSorted().flatMap((file) => {
    const found = readFileSync(join(root, file), 'utf8').matchAll(onText);
    return Array.from(found, ([, name = '']) => `${file} ${name}`);
  });
}

/** What hostile texts repeat, for functions that read Markdown, JSON, addresses or words. */
const written = [
  '~',
  '`',
  '[',
  ']',
  '[^1]:',
  '[^1]:[a]:',
  ']:',
  '[a]: b\n',
  '[a] ',
  '[](a',
  '![a](b "',
  '<!--',
  '<',
  '&amp;',
  '\\',
  '\u200b',
  '\u{1f469}\u200d',
  '\u{1f3f4}\u{e0067}',
  'ignore all ',
  'http://a.',
  'a.',
  '漢',
  'e\u0301',
  '\u0301\u0316',
  ' ',
  '\n',
  '> ',
  '*',
  '"',
  '{"":',
  '0',
  '0.',
  '-',
  'clp_0',
  '<![CDATA[',
  ' href="#md',
  '<h1>',
  '%',
  '@a',
  '|',
  '~~~a\n',
  'a',
];

/** Every unit for every function; what stands in front and behind is drawn, and in a long run all of it is tried. */
export function* pumpsForFunctions(name: string): Generator<Pump> {
  const around = ['', '!', '|'].flatMap((tail) =>
    ['', '[a]: ', '[^a'].map((prefix) => ({ prefix, tail })),
  );
  for (const one of drawSample(around, 3, name)) for (const unit of written) yield { ...one, unit };
}
