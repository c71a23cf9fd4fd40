// Each cause that the log has to mention, one after the other without a pause, and each request sent twice: the
// leaves of each, once and no more. A cause that is found only by comparing states is lost here.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Asked, Human } from '#test/harness';
import { startServer } from '#test/harness';
import { act, aModerator } from '#test/moderators';
import { aSigner, revise, signatureOf } from '#test/signed-articles';
import type { Signer } from '#test/signed-articles';
import { logUntil, provenLog, readLog } from '#test/transparency-log';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const moderator = await aModerator(server);

/** Sends a request, and again with the same idempotency key, as after a lost answer. */
async function twice({ token }: Pick<Human, 'token'>, path: string, asked: Asked = {}) {
  const key = crypto.randomUUID();
  const answers = [];
  for (let time = 0; time < 2; time += 1)
    answers.push(await server.ask('POST', path, { token, key, body: {}, ...asked }));
  const [first, again] = answers;
  assert.ok((first?.status ?? 0) < 300, JSON.stringify(first?.body));
  assert.equal(again?.status, first?.status);
  return first?.body;
}

const publish = (who: Human, id: string, body: object = {}) =>
  twice(who, `/v1/articles/${id}/publish`, { body });
const change = (who: Human, id: string, body: object) =>
  server.ask('PATCH', `/v1/articles/${id}`, { token: who.token, body });

interface Row {
  readonly cause: string;
  /** The kinds of the leaves, with the revision of publications: 1 is the first one. */
  readonly leaves: readonly string[];
  /** Acts on a draft, and on a second revision of it if there is one. */
  readonly act: (who: Signer, id: string, revisions: readonly string[]) => Promise<unknown>;
  readonly revisions?: 2;
}

const rows: readonly Row[] = [
  { cause: 'a publication', leaves: ['publication 1'], act: (who, id) => publish(who, id) },
  {
    cause: 'a draft that is never published',
    leaves: [],
    act: (who, id) => change(who, id, { language: 'de' }),
  },
  {
    cause: 'the revision that is shown already is published again: nothing changes',
    leaves: ['publication 1'],
    act: async (who, id) => {
      await publish(who, id);
      await publish(who, id);
    },
  },
  {
    cause: 'an older revision is published again, and the newer one after it',
    leaves: ['publication 1', 'publication 2', 'publication 1', 'publication 2'],
    revisions: 2,
    act: async (who, id, [first, second]) => {
      for (const revision_id of [first, second, first, second])
        await publish(who, id, { revision_id });
    },
  },
  {
    cause: 'a revision is signed after its publication',
    leaves: ['publication 1', 'publication 1 signed'],
    act: async (who, id) => {
      const { signing_input, revision_id } = (await read(who, id)) as Read;
      await publish(who, id);
      await publish(who, id, { revision_id, ...signatureOf(who, signing_input) });
    },
  },
  {
    cause: 'an older revision is signed when it is published again',
    leaves: ['publication 1', 'publication 2', 'publication 1 signed'],
    revisions: 2,
    act: async (who, id, [first = '', second]) => {
      await publish(who, id, { revision_id: first });
      await publish(who, id, { revision_id: second });
      const { signing_input } = (await read(who, `${id}/revisions/${first}`)) as Read;
      await publish(who, id, { revision_id: first, ...signatureOf(who, signing_input) });
    },
  },
  {
    cause: 'a removal by the author',
    leaves: ['publication 1', 'article.removed'],
    act: async (who, id) => {
      await publish(who, id);
      await server.ask('DELETE', `/v1/articles/${id}`, { token: who.token });
    },
  },
  {
    cause: 'an erasure, after an older revision was published again',
    leaves: ['publication 1', 'publication 2', 'publication 1', 'article.erased'],
    revisions: 2,
    act: async (who, id, [first, second]) => {
      for (const revision_id of [first, second, first]) await publish(who, id, { revision_id });
      await twice(who, `/v1/articles/${id}/erase`, { body: { confirm: 'erase' } });
    },
  },
  {
    cause: 'a removal by a moderator',
    leaves: ['publication 1', 'article.removed'],
    act: async (who, id) => {
      await publish(who, id);
      await act(server, moderator, { target_type: 'article', target_id: id, action: 'remove' });
    },
  },
];

interface Read {
  readonly signing_input: string;
  readonly revision_id: string;
}

async function read({ token }: Human, path: string) {
  return (await server.ask('GET', `/v1/articles/${path}`, { token })).body;
}

type Entries = readonly Awaited<ReturnType<typeof readLog>>['entries'][number][];

const about = (entries: Entries, id: string) => entries.filter(({ article }) => article === id);

/** Waits until what is committed now is in the log, and returns the log. */
async function logOfNow() {
  const last = await server.published(moderator);
  await provenLog(server, last.id, last.revision_id);
  // Other messages of the same moment may be handled after those of the article.
  const next = await server.published(moderator);
  await provenLog(server, next.id, next.revision_id);
  return readLog(server);
}

test('each cause has its leaves, once, with its time', async () => {
  const acted = await Promise.all(
    rows.map(async (row) => {
      const who = await aSigner(server);
      const draft = await server.draft(who);
      const second = row.revisions && (await revise(server, who, draft, 'The second text.'));
      const revisions = [draft.revision_id, ...(second ? [second.revision_id] : [])];
      await row.act(who, draft.id, revisions);
      return { row, id: draft.id, revisions };
    }),
  );
  await logUntil(server, 'all leaves', (all) =>
    acted.every(({ row, id }) => about(all, id).length >= row.leaves.length),
  );
  // Time for those that are too many.
  const { entries } = await logOfNow();
  for (const { row, id, revisions } of acted) {
    // Several workers collect at once, so the order of the leaves is not always that of the times.
    const own = about(entries, id).toSorted((one, other) => (one.at < other.at ? -1 : 1));
    const said = own.map(({ kind, revision, signed }) =>
      kind === 'publication'
        ? `publication ${revisions.indexOf(String(revision)) + 1}${signed === true ? ' signed' : ''}`
        : kind,
    );
    assert.deepEqual(said, row.leaves, row.cause);
  }
});

test('an article that readers get back says with which revision', async () => {
  const who = await aSigner(server);
  const draft = await server.draft(who);
  const second = await revise(server, who, draft, 'The second text.');
  for (const { revision_id } of [draft, second]) await publish(who, draft.id, { revision_id });
  await provenLog(server, draft.id, second.revision_id);
  const input = { target_type: 'article', target_id: draft.id } as const;
  const has = (kind: string) => (all: Entries) =>
    about(all, draft.id).some((entry) => entry.kind === kind);
  await act(server, moderator, { ...input, action: 'hide' });
  await logUntil(server, 'the withdrawal', has('article.withdrawn'));
  await publish(who, draft.id, { revision_id: draft.revision_id });
  await act(server, moderator, { ...input, action: 'restore' });
  const { entries } = await logUntil(server, 'the return', has('article.shown'));
  const states = about(entries, draft.id).filter(({ kind }) => kind !== 'publication');
  assert.deepEqual(
    states.map(({ kind, revision }) => [kind, revision]),
    [
      ['article.withdrawn', undefined],
      ['article.shown', draft.revision_id],
    ],
  );
});
