// Tests of the rules of edges, case by case.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeKinds } from '@colophon/contract';
import { isProblem, problem } from '#http';
import { bucketOf, BUCKETS, newId } from '#lib/id';
import type { EndRow } from '../queries/index.ts';
import {
  changeOf,
  isTakenAway,
  namedFaults,
  requireNamed,
  targetOf,
  targetOfAddress,
  targetOfArticle,
  inputFaults,
} from './edges.ts';

const [one, two] = [newId(5), newId(6)];

function end(members: Partial<EndRow> = {}): EndRow {
  return {
    id: one,
    author_id: 'ann',
    owner_principal_id: null,
    status: 'published',
    visibility: 'public',
    published_revision_id: 'r',
    removed_at: null,
    removed_legally: false,
    reason_code: null,
    deindexed: false,
    concealed: false,
    ...members,
  };
}

const pointers = (faults: readonly { readonly pointer: string }[]) =>
  faults.map(({ pointer }) => pointer);

test('what a body alone cannot say', () => {
  const input = { src_article_id: one, kind: 'cites' } as const;
  const uri = 'https://example.org/';
  const cases = [
    [{ dst_article_id: two }, []],
    [{ dst_uri: uri }, []],
    [{ dst_article_id: null, dst_uri: uri }, []],
    [{}, ['/dst_article_id', '/dst_uri']],
    [{ dst_article_id: null, dst_uri: null }, ['/dst_article_id', '/dst_uri']],
    [{ dst_article_id: two, dst_uri: uri }, ['/dst_article_id', '/dst_uri']],
    [{ dst_article_id: one }, ['/dst_article_id']],
    [{ dst_uri: uri, kind: 'supersedes' }, ['/kind']],
    [{ dst_uri: uri, kind: 'corrects' }, []],
  ] as const;
  for (const [members, expected] of cases)
    assert.deepEqual(pointers(inputFaults({ ...input, ...members })), expected);
});

test('supersedes and retracts are for articles that one person answers for', () => {
  const destinations = {
    'the same author': [end(), true],
    'an agent of the author': [end({ author_id: 'bot', owner_principal_id: 'ann' }), true],
    'somebody else': [end({ author_id: 'bob' }), false],
    'an agent of somebody else': [end({ author_id: 'bot', owner_principal_id: 'bob' }), false],
  } as const;
  for (const [who, [destination, allowed]] of Object.entries(destinations)) {
    for (const kind of edgeKinds) {
      const input = { src_article_id: one, kind, dst_article_id: two };
      const faults = namedFaults(input, { source: end(), destination, comment: undefined });
      const refused = !allowed && ['supersedes', 'retracts'].includes(kind);
      assert.deepEqual(pointers(faults), refused ? ['/kind'] : [], `${kind}, ${who}`);
    }
    const change = changeOf('corrects', end(), destination);
    assert.equal(change, allowed ? 'corrected' : undefined, who);
  }
  assert.equal(changeOf('cites', end(), end()), undefined);
});

test('a comment stands on one of the ends, and is visible', () => {
  const input = { src_article_id: one, kind: 'cites', dst_article_id: two, via_comment_id: two };
  const cases = [
    [{ article_id: one, status: 'visible' }, true],
    [{ article_id: two, status: 'visible' }, true],
    [{ article_id: newId(5), status: 'visible' }, false],
    [{ article_id: one, status: 'deleted' }, false],
    [{ article_id: one, status: 'hidden' }, false],
    [undefined, true],
  ] as const;
  for (const [comment, fits] of cases) {
    const named = { source: end(), destination: end(), comment };
    const faults = namedFaults({ ...input, kind: 'cites' }, named);
    assert.deepEqual(pointers(faults), fits ? [] : ['/via_comment_id']);
  }
});

test('what a body names is there for the caller', () => {
  const input = { src_article_id: one, kind: 'cites', dst_article_id: two } as const;
  const comment = { article_id: one, status: 'visible' };
  const via = { ...input, via_comment_id: two };
  const uri = { src_article_id: one, kind: 'cites', dst_uri: 'https://example.org/' } as const;
  const isThere = (
    ...[asked, destination, named]: readonly [
      typeof via | typeof input | typeof uri,
      EndRow?,
      typeof comment?,
    ]
  ) => {
    try {
      requireNamed(problem, asked, { destination, comment: named });
      return true;
    } catch (error) {
      assert.ok(isProblem(error) && error.problem === 'not-found', String(error));
      return false;
    }
  };
  assert.ok(isThere(input, end()));
  assert.ok(isThere(uri));
  assert.ok(isThere(via, end(), comment));
  assert.ok(!isThere(input));
  assert.ok(!isThere(via, end()));
});

test('the second row lies with the article, or in the bucket of the hash of the address', () => {
  assert.deepEqual(targetOfArticle(two), { bucket: bucketOf(two), key: two });
  const address = targetOfAddress('https://EXAMPLE.org');
  assert.deepEqual(address, targetOfAddress('https://example.org:443/'));
  assert.ok(address.bucket >= 0 && address.bucket < BUCKETS);
  assert.deepEqual(targetOf({ dst_key: address.key, dst_article_id: null }), address);
  assert.deepEqual(targetOf({ dst_key: two, dst_article_id: two }), targetOfArticle(two));
});

test('what was taken away', () => {
  for (const status of ['unpublished', 'removed', 'erased'] as const)
    assert.ok(isTakenAway(end({ status })));
  for (const status of ['draft', 'published', 'hidden'] as const)
    assert.ok(!isTakenAway(end({ status })));
  assert.ok(isTakenAway(end({ removed_legally: true })));
});
