// Works go on: proofs, the log, events, files, archives, and what waited for the pipeline.
import assert from 'node:assert/strict';
import { createCheckpointMemory, createLogClient, verifyProof } from '@colophon/sdk';
import { extractFiles } from '../../exports.ts';
import { keyPairOf } from '../../key-pairs.ts';
import { pngOf } from '../../media-files.ts';
import { until } from '../../throw-away-database.ts';
import { baseUrl } from '../serve.ts';
import { untilEnded } from '../site/exports.ts';
import { waitingWord } from '../site/waiting.ts';
import { comment, erasedWord, publish, revise } from '../site/works.ts';
import { untilStatus } from './later.ts';
import type { Continued, Later } from './later.ts';

async function filesOf({ address }: Later, token: string, id: string) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${address}/v1/exports/${id}/content`, { headers });
  assert.equal(response.status, 200);
  return extractFiles(Buffer.from(await response.arrayBuffer()));
}

/** Ids of the comments in the events after this one, one event at a time. */
async function commentsSince({ caller, kept }: Later, since: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let next: unknown = since; typeof next === 'string';) {
    const path = `/v1/events?type=comment.created&limit=1&since=${next}`;
    const page = await caller.done('GET', path, { token: kept.people.gus.token });
    for (const { payload } of page['items']) found.push(payload.comment_id);
    next = page['next_cursor'];
  }
  return found;
}

async function countFound({ caller }: Later, word: string): Promise<number> {
  const types = ['article', 'comment'];
  const pages = types.map((type) => caller.done('GET', `/v1/search?q=${word}&type=${type}`));
  return (await Promise.all(pages)).flatMap((page) => page['items'] as unknown[]).length;
}

export const works: Continued = {
  'a signature of before verifies with the SDK, with the leaf that the log had then': async ({
    caller,
    kept,
  }) => {
    const { id, revision_id } = kept.works.signed;
    const path = `/v1/articles/${id}/revisions/${revision_id}/proof`;
    const trusted = {
      baseUrl,
      authorId: kept.people.quill.id,
      publicKeys: [
        keyPairOf(Buffer.from(kept.keys.used.secret, 'base64')).publicKey.toString('base64'),
      ],
      log: { verifierKey: String(kept.log.verifier_key) },
    };
    const text = await caller.done('GET', `/v1/articles/${id}/revisions/${revision_id}`);
    const proof = await caller.done('GET', path);
    for (const one of [kept.proof, proof]) {
      const verdict = await verifyProof(one, { trusted, text: text as never });
      assert.ok(verdict.valid, JSON.stringify(verdict));
      assert.equal(verdict.logged?.index, kept.proof['log'].index);
    }
  },
  'the log continues the checkpoint of before': async (later) => {
    const { caller, kept, address } = later;
    const memory = createCheckpointMemory();
    await memory.write(String(kept.log.origin), kept.log.checkpoint);
    const { verifier_key: verifierKey } = kept.log;
    const log = createLogClient({ url: `${address}/log`, verifierKey, memory });
    const { ann } = kept.people;
    const revised = await revise(caller, ann, kept.works.main, 'A text of a later version.');
    const work = await publish(caller, ann, revised);
    const proof = `/v1/articles/${work.id}/revisions/${work.revision_id}/proof`;
    await until('the log proves the new revision', async () => {
      return (await caller.done('GET', proof))['log'] !== null;
    });
    const older = Number(kept.log.checkpoint.split('\n')[1]);
    assert.ok((await log.readCheckpoint()).size > older);
    const old = `/v1/articles/${work.id}/revisions/${kept.works.main.revision_id}`;
    assert.equal((await caller.ask('GET', old)).status, 200);
  },
  'events go on from an old cursor without a gap': async (later) => {
    const { caller, kept } = later;
    const { comments, waiting, seen } = kept;
    await until('the comment that waited is an event', async () => {
      return (await commentsSince(later, '0'.repeat(26))).includes(waiting.comment);
    });
    const now = await comment(caller, kept.people.ben, kept.works.quiet.id);
    await until('the comment of now is an event', async () => {
      return (await commentsSince(later, seen[1] ?? '')).length === 2;
    });
    const all = [comments.early, comments.second, waiting.comment, now];
    assert.deepEqual(await commentsSince(later, '0'.repeat(26)), all);
    assert.deepEqual(await commentsSince(later, seen[0] ?? ''), all.slice(1));
    assert.deepEqual(await commentsSince(later, seen[1] ?? ''), all.slice(2));
  },
  'what waited for the pipeline is done': async (later) => {
    const { caller, kept } = later;
    await until('the article is found', async () => (await countFound(later, waitingWord)) === 1);
    const path = `/v1/articles/${kept.works.quiet.id}/comments?limit=100`;
    const { items } = await caller.done('GET', path);
    assert.ok((items as { id: string }[]).some(({ id }) => id === kept.waiting.comment));
    await untilStatus(later, `/v1/articles/${kept.waiting.erased}`, 410);
  },
  'archives of before are whole, and one that was asked for is made': async (later) => {
    const { caller, kept } = later;
    const { ann } = kept.people;
    const own = await filesOf(later, ann.token, kept.exports['own'] ?? '');
    assert.ok([...own.keys()].some((path) => path.includes(kept.works.main.id)));
    await filesOf(later, ann.token, kept.exports['ofAgent'] ?? '');
    const { fay, export: asked } = kept.waiting;
    assert.equal(await untilEnded(caller, fay.token, asked), 'ready');
    await filesOf(later, fay.token, asked);
  },
  'an archive of before ends when an article in it is removed': async ({ caller, kept }) => {
    const { ann } = kept.people;
    await caller.done('DELETE', `/v1/articles/${kept.works.rejected.id}`, { token: ann.token });
    const path = `/v1/exports/${kept.exports['own']}`;
    await until('the archive has expired', async () => {
      return (await caller.done('GET', path, { token: ann.token }))['status'] === 'expired';
    });
    assert.equal((await caller.ask('GET', `${path}/content`, { token: ann.token })).status, 410);
  },
  'a record that was pending takes its file': async ({ caller, kept }) => {
    const path = `/v1/media/${kept.files.pending}`;
    const sent = { token: kept.people.ann.token, bytes: pngOf(8, 8) };
    assert.equal((await caller.done('PUT', `${path}/content`, sent))['status'], 'ready');
    const read = await caller.ask('GET', `${path}/content`, { token: kept.people.ann.token });
    assert.equal(read.status, 200);
  },
  'what was erased is nowhere': async (later) => {
    assert.equal(later.dump.includes(erasedWord), false);
    assert.equal(await countFound(later, erasedWord), 0);
    await untilStatus(later, `/v1/articles/${later.kept.works.erased.id}`, 410);
    const { article, comment: said } = later.kept.closed['erase'] ?? { article: '', comment: '' };
    await untilStatus(later, `/v1/articles/${article}`, 410);
    const answer = await later.caller.ask('GET', `/v1/comments/${said}`);
    assert.equal(JSON.stringify(answer.body).includes('Soon gone'), false);
  },
};
