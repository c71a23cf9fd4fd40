// The pure parts of an import: links to media, and the mark of the origin in the metadata.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { limits } from '@colophon/contract';
import { effort } from '../../../server/test/effort.ts';
import { mediaLinks, restoreLinks, rewriteLinks } from '../../src/import/archive/media-links.ts';
import { markedMetadata, originOf } from '../../src/import/origin.ts';

const id = '01J8ZQ4Y7D3M5N6P8R9S0T1V2W';
const other = '01J8ZQ4Y7D3M5N6P8R9S0T1V2X';
const bases = ['https://a.example', 'https://media.a.example/files'];
const runs = { numRuns: effort(300, 20_000) };

for (const [text, found] of [
  [`![a](/media/${id})`, `/media/${id}`],
  [`![a](https://a.example/media/${id}?w=320)`, `https://a.example/media/${id}`],
  [`https://media.a.example/files/media/${id}`, `https://media.a.example/files/media/${id}`],
  [`\`/media/${id}\``, `/media/${id}`],
  [`/media/${id}A`, undefined],
  [`https://b.example/media/${id}`, undefined],
  [`https://a.example/x/media/${id}`, undefined],
  [`/media/${id.toLowerCase()}`, undefined],
  [`x/media/${id}`, undefined],
] as const) {
  test(`a link to media: ${text}`, () => {
    const [link] = mediaLinks(text, bases);
    assert.equal(link === undefined ? undefined : text.slice(link.start, link.end), found);
  });
}

const piece = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    `/media/${id}`,
    `${bases[0]}/media/${id}`,
    `${bases[1]}/media/${other}?w=1`,
    '(',
    ')',
    ' ',
    `https://b.example/media/${id}`,
  ),
);
const content = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));

test('rewritten links lead to the new address, and can be restored', () => {
  const url = (of: string) => (of === id ? `https://b.example/media/${other}` : undefined);
  fc.assert(
    fc.property(content, (original) => {
      const { text, links } = rewriteLinks(original, bases, url);
      assert.deepEqual(
        mediaLinks(text, bases).filter((link) => link.id === id),
        [],
      );
      if (links !== undefined) assert.equal(restoreLinks(text, links), original);
    }),
    runs,
  );
});

test('no link is rewritten where no file has a new address', () => {
  fc.assert(
    fc.property(content, (original) => {
      assert.deepEqual(
        rewriteLinks(original, bases, () => undefined),
        { text: original, links: {} },
      );
    }),
    runs,
  );
});

test('the mark of the origin is always whole, and inside the limit of metadata', () => {
  const group = fc.dictionary(fc.string(), fc.string({ maxLength: 8_000, size: 'max' }), {
    maxKeys: 3,
  });
  const given = fc.record({
    metadata: fc.dictionary(fc.string(), fc.jsonValue()),
    origin: fc.array(group),
  });
  const mark = {
    service: 'https://a.example',
    article_id: id,
    number: 3,
    content_hash: 'sha256:0',
  };
  fc.assert(
    fc.property(given, ({ metadata: own, origin }) => {
      const revision = {
        title: 't',
        content: 'c',
        metadata: own,
        contentHash: mark.content_hash,
        origin,
      };
      const key = { service: mark.service, id };
      const { metadata } = markedMetadata(key, 3, revision);
      assert.ok(metadata);
      assert.ok(Buffer.byteLength(JSON.stringify(metadata)) <= limits.metadata_bytes_max);
      assert.deepEqual(originOf(metadata), mark);
      const { origin: _, ...rest } = metadata;
      const { origin: __, ...kept } = own;
      assert.deepEqual(rest, kept);
    }),
    { numRuns: effort(40, 2_000) },
  );
});

test('metadata that leaves no room for the mark is reported', () => {
  const own = { metadata: { a: 'x'.repeat(limits.metadata_bytes_max - 20) }, origin: [] };
  const revision = { title: 't', content: 'c', contentHash: 'sha256:0', ...own };
  const key = { service: 'https://a.example', id };
  assert.deepEqual(markedMetadata(key, 1, revision), { metadata: undefined, leftOut: [] });
});
