// No regular expression of the sources takes time beyond proportion on a text that is made for it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { compilationsBelow, compiledBy, literalsBelow } from './pumps/expressions.ts';
import type { Expression } from './pumps/expressions.ts';
import { superlinear } from './pumps/linear.ts';
import { pumpsFor } from './pumps/texts.ts';
import { drawSample } from './faults/sampled.ts';

const packages = join(import.meta.dirname, '../..');
const server = join(packages, 'server/src');
const texts = join(packages, 'text/src');
const commandLine = join(packages, 'cli/src');

/** Expressions that are compiled when a function runs: the table of functions pumps those. */
const compiledLater: Readonly<Record<string, number>> = {
  // The paths of the contract, with the ids of a request.
  'http/paths.ts': 1,
  // Literals, which are pumped, with other flags.
  'config/secrets.ts': 1,
  // Between the marks of an answer that takes long texts.
  'lib/pieces.ts': 1,
  // How the words of a search begin.
  'areas/search/rules/snippets.ts': 1,
  // Between addresses of the service, which are escaped.
  'import/archive/media-links.ts': 1,
  // Literals, which are pumped.
  'import/formats/comments.ts': 1,
  'import/formats/paired.ts': 2,
  // A name between literal parts. The functions are pumped in packages/cli/test/import.
  'import/formats/dialects.ts': 1,
  'import/formats/markdown-links.ts': 1,
};

/** Expressions that no text of a participant meets, and why. */
const unpumped: Readonly<Record<string, string>> = {
  'config/secrets.ts /:\\/\\/(.*)@/s': 'settings, which the operator writes',
  'config/secrets.ts /:\\/\\/([^@]*)@/g': 'settings, which the operator writes',
  'config/secrets.ts /[?&][^=&#]*(?:pass|secret|token|key|credential)[^=&#]*=([^&#]*)/gi':
    'settings, which the operator writes',
  'web/guides/sources.ts /\\[([^\\]\\n]+)\\]\\(([\\w./-]+\\.md)(?:#([\\w-]+))?\\)/g':
    'the guides of the service',
  'web/guides/show.ts /<a href="([^"]+)"[^>]*>([^<"]*)<\\/a>/g': 'the guides of the service',
  'log-files.ts /\\/+$/': 'the address of a service, which its user types',
  'transparency/memory.ts /\\/+$/': 'the address of a service, which its user types',
  'transparency/trust.ts /\\/+$/': 'the address of a service, which its user types',
  'browser/graph.ts /\\d+$/': 'an id that the page made',
  'web/components/labels.ts /\\B(?=(?:\\d{3})+$)/g': 'a number: 16 digits',
};

/** Only what may be repeated without end can take longer than in proportion. */
function isUnbounded({ source }: RegExp): boolean {
  return /[*+]|\{\d+,\}/.test(source);
}

function run(expression: RegExp) {
  return (text: string) => {
    expression.lastIndex = 0;
    return expression.global ? text.replaceAll(expression, '') : expression.exec(text);
  };
}

test('the measure tells quadratic expressions from others', () => {
  const slowOnes = [/^( {0,3})(`{3,}|~{3,})[^|]*$/, /\s+$/, /a.*b.*c/, /(?:x+)+y/, /(a+)+$/];
  for (const slow of drawSample(slowOnes, 2))
    assert.ok(superlinear(run(slow), pumpsFor(slow)), String(slow));
  for (const fast of [/^( {0,3})(~{3,}(?!~))[^|]*$/, /\s/, /a[^b]{0,40}b[^c]{0,40}c/g])
    assert.equal(superlinear(run(fast), pumpsFor(fast)), undefined, String(fast));
});

test('every expression takes time in proportion to the text, up to 64 KiB', async (t) => {
  const folders = [
    'contract/src',
    'sdk/src',
    'cli/src',
    'mcp/src',
    'server/src',
    'text/src',
    'islands/src',
  ];
  const literals = folders.flatMap((folder) => literalsBelow(join(packages, folder)));
  for (const folder of ['sdk/src', 'mcp/src', 'islands/src'])
    assert.equal(compilationsBelow(join(packages, folder)).size, 0, `${folder} compiles none`);
  const compilations = new Map<string, number>();
  const compiled: Expression[] = [];
  for (const folder of [server, texts, commandLine]) {
    const counts = compilationsBelow(folder);
    compiled.push(...(await compiledBy(folder, counts.keys())));
    for (const [file, count] of counts) compilations.set(file, count);
  }
  const all = new Map(
    [...literals, ...compiled]
      .filter(({ expression }) => isUnbounded(expression))
      .map(({ name, expression }) => [name, expression]),
  );
  t.diagnostic(`${all.size} of ${literals.length + compiled.length} expressions are pumped`);
  assert.deepEqual(
    Object.keys(unpumped).filter((name) => !all.has(name)),
    [],
    'gone',
  );
  const slow = [...all].flatMap(([name, expression]) => {
    const pump = name in unpumped ? undefined : superlinear(run(expression), pumpsFor(expression));
    return pump === undefined ? [] : [`${name}: ${JSON.stringify(pump)}`];
  });
  assert.deepEqual(slow, []);
  for (const [file, count] of compilations) {
    const known = compiled.filter(({ name }) => name.startsWith(`${file} `)).length;
    assert.equal(known + (compiledLater[file] ?? 0), count, `${file} compiles others`);
  }
});
