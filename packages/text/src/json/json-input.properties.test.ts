// Property tests of JSON input: its grammar is that of JSON.parse, and its pointers are exact.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { parseJson } from './json-input.ts';
import type { ParsedJson } from './json-input.ts';
import { effort } from '../../../server/test/effort.ts';

const LIMITS = { maxDepth: 32, maxMembers: 5000 };

function parse(text: string): ParsedJson {
  return parseJson(Buffer.from(text), LIMITS);
}

function jsonParses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON writes -0 as 0. */
function withoutMinusZero(parsed: ParsedJson & { readonly ok: true }): ParsedJson {
  return { ok: true, value: JSON.parse(JSON.stringify(parsed.value)) };
}

/** Text that is often JSON or nearly so: JSON's own pieces in any order. */
const pieces = fc.array(
  fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    ' ',
    '\n',
    '"a"',
    '"b"',
    '"a":',
    '"b":',
    '0',
    '1',
    '-',
    '.',
    'e',
    '+',
    '12',
    'true',
    'false',
    'null',
    '\\u',
    '\\u0041',
    '\\n',
    'é',
    '😀',
    '[]',
    '{}',
    '"":',
    '\t',
    '\u0001',
  ),
  { maxLength: 14 },
);

test('property: grammar is JSON.parse’s grammar, over arbitrary text', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        pieces.map((parts) => parts.join('')),
        fc.string({ unit: 'grapheme' }),
        fc.json(),
      ),
      (text) => {
        const parsed = parse(text);
        assert.equal(parsed.ok || parsed.kind === 'refused', jsonParses(text));
      },
    ),
    { numRuns: effort(5000, 100_000) },
  );
});

test('property: grammar is JSON.parse’s grammar, over mutated documents', () => {
  const mutation = fc.record({ at: fc.nat(), cut: fc.nat({ max: 3 }), put: pieces });
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 5 }),
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      (document, mutations) => {
        let text = document;
        for (const { at, cut, put } of mutations) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + put.slice(0, 2).join('') + text.slice(place + cut);
        }
        text = Buffer.from(text).toString();
        const parsed = parse(text);
        assert.equal(parsed.ok || parsed.kind === 'refused', jsonParses(text), text);
        if (parsed.ok) assert.deepEqual(parsed.value, JSON.parse(text));
      },
    ),
    { numRuns: effort(5000, 100_000) },
  );
});

test('property: what was accepted is accepted again as JSON writes it, with the same value', () => {
  const number = fc
    .tuple(fc.constantFrom('', '-'), fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.nat({ max: 25 }))
    .chain(([sign, digits, exponent]) =>
      fc.constantFrom(
        `${sign}${digits}`,
        `${sign}${digits}.0`,
        `${sign}${digits}e${exponent}`,
        `${sign}${digits}E-${exponent}`,
        `${sign}0.${digits}e+${exponent}`,
      ),
    );
  fc.assert(
    fc.property(fc.oneof(number, fc.json()), (text) => {
      const parsed = parse(text);
      if (parsed.ok)
        assert.deepEqual(parse(JSON.stringify(parsed.value)), withoutMinusZero(parsed));
    }),
    { numRuns: effort(5000, 100_000) },
  );
});

test('property: arbitrary bytes never throw, and what is taken is valid UTF-8', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (array) => {
      const bytes = Buffer.from(array);
      const parsed = parseJson(bytes, LIMITS);
      if (parsed.ok) assert.deepEqual(Buffer.from(bytes.toString('utf8')), bytes);
    }),
    { numRuns: effort(5000, 100_000) },
  );
});

test('property: a document with one fault is refused at exactly that place', () => {
  const faults = {
    '1e999': 'number-range',
    '"x\\u0000"': 'nul',
    '"\\udead"': 'lone-surrogate',
    '{"k":0,"k":1}': 'duplicate-name',
  };
  const step = fc.oneof(
    fc.nat({ max: 3 }),
    fc.string({ unit: 'grapheme', maxLength: 5 }).filter((name) => name !== '__proto__'),
  );
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 12 }),
      fc.constantFrom(...Object.entries(faults)),
      (path, [fault, code]) => {
        let text = fault;
        for (const token of path.toReversed()) {
          const before =
            typeof token === 'number'
              ? '[1,"[",{}],'.repeat(token)
              : `${JSON.stringify(`${token}!`)}:["}"],`;
          text =
            typeof token === 'number'
              ? `[${before}${text}]`
              : `{${before}${JSON.stringify(token)}:${text}}`;
        }
        const pointer = path
          .map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`)
          .join('');
        const parsed = parse(text);
        assert.ok(!parsed.ok);
        assert.equal(parsed.code, code);
        assert.equal(parsed.pointer, code === 'duplicate-name' ? `${pointer}/k` : pointer);
      },
    ),
    { numRuns: effort(3000, 60_000) },
  );
});
