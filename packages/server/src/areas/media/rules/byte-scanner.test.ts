// Scans of files that arrive in chunks of any size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesAt, follow, within } from './byte-scanner.ts';
import type { Front, Look, Stretch } from './byte-scanner.ts';
import { effort } from '#test/effort';

function* collect(stretches: readonly Stretch[], front: Front): Look<string[]> {
  const texts: string[] = [];
  for (const { at, length } of stretches)
    texts.push(Buffer.from(yield* bytesAt(front, at, length)).toString('latin1'));
  return texts;
}

const files = fc.record({
  file: fc.uint8Array({ minLength: 1, maxLength: 200 }),
  headLength: fc.nat(60),
  pieceLength: fc.integer({ min: 1, max: 250 }),
  stretches: fc
    .array(fc.record({ at: fc.nat(250), length: fc.integer({ min: 1, max: 60 }) }), {
      maxLength: 12,
    })
    .map((all) => all.toSorted((left, right) => left.at - right.at)),
});

test('every stretch is what stands there in the file, however it arrives', () => {
  fc.assert(
    fc.property(files, ({ file, headLength, pieceLength, stretches }) => {
      const front = { head: file.subarray(0, headLength), length: file.length };
      const look = follow(collect(stretches, front));
      let found: readonly string[] | undefined;
      for (let at = 0; at < file.length; at += pieceLength)
        found ??= look.pass(file.subarray(at, at + pieceLength))?.found;
      const expected = stretches.map(({ at, length }) =>
        Buffer.from(file.subarray(at, at + length)).toString('latin1'),
      );
      assert.deepEqual(found ?? look.end(), expected);
    }),
    { numRuns: effort(2_000, 40_000) },
  );
});

test('the front alone answers what it contains, and undefined for what it does not', () => {
  const front = { head: Buffer.from('abcdef'), length: 20 };
  assert.deepEqual(within(collect([{ at: 1, length: 3 }], front)), ['bcd']);
  assert.equal(within(collect([{ at: 4, length: 3 }], front)), undefined);
});
