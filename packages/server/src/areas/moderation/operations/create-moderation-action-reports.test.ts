// POST /v1/moderation/actions with all_reports: one action closes every report on an object, once.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventsOf } from '#test/comments';
import { assertProblem, startServer } from '#test/harness';
import type { Human, Response } from '#test/harness';
import { act, actsOn, anArticle, askAct, aModerator } from '#test/moderators';
import type { Input } from '#test/moderators';
import { age, changesOf, fillQueue, read, report, review } from '#test/reports';

const server = await startServer({ ROLE: 'web' });
after(() => server[Symbol.asyncDispose]());
const [moderator, colleague] = [await aModerator(server), await aModerator(server)];

const statusOf = async (id: string) => (await read(server, moderator, id)).body.status;

type All = Input & { readonly all_reports?: boolean };

function askAll(by: Pick<Human, 'token'>, input: All): Promise<Response> {
  return askAct(server, by, { source: 'report', ...input, all_reports: true } as Input);
}

async function prepareReports(count: number) {
  const { input, author } = await anArticle(server);
  const target = { target_type: input.target_type, target_id: input.target_id };
  const reporters = await Promise.all(Array.from({ length: count }, () => server.register()));
  const ids: string[] = [];
  for (const { token } of reporters) ids.push(await report(server, target, { token }));
  return { input, author, target, reporters, ids };
}

test('201 closes the named report and all others on the object, and each reporter is told', async () => {
  const { input, ids, reporters } = await prepareReports(3);
  const elsewhere = await report(server);
  const { status, body } = await askAll(moderator, { ...input, report_id: ids[1] ?? '' });
  assert.equal(status, 201);
  for (const id of ids) {
    assert.equal(await statusOf(id), 'actioned');
    const changes = await changesOf(server, id);
    assert.deepEqual(changes.at(-1), {
      from_status: 'open',
      to_status: 'actioned',
      moderator_id: moderator.id,
      resolution: null,
      action_id: body.id,
    });
  }
  assert.equal(await statusOf(elsewhere), 'open');
  for (const { id } of reporters) {
    const told = (await eventsOf(server, id)).at(-1);
    assert.equal(told?.type, 'report.resolved');
    const payload = told?.payload as { readonly status: string } | undefined;
    assert.equal(payload?.status, 'actioned');
  }
  const [entry] = await actsOn(server, input.target_id);
  assert.equal(entry?.details['reports_closed'], 3);
});

test('201 without all_reports closes the named report only', async () => {
  const { input, ids } = await prepareReports(2);
  await act(server, moderator, { ...input, source: 'report', report_id: ids[0] ?? '' });
  assert.deepEqual(
    [await statusOf(ids[0] ?? ''), await statusOf(ids[1] ?? '')],
    ['actioned', 'open'],
  );
});

test('201 leaves the reports that another moderator has claimed, until the claim has lapsed', async () => {
  const { input, ids, target } = await prepareReports(2);
  const lapsed = await report(server, target);
  for (const id of [ids[1] ?? '', lapsed])
    await review(server, colleague, id, { status: 'reviewing' });
  await age(server, lapsed, 24);
  assert.equal((await askAll(moderator, { ...input, report_id: ids[0] ?? '' })).status, 201);
  assert.deepEqual(
    [await statusOf(ids[0] ?? ''), await statusOf(ids[1] ?? ''), await statusOf(lapsed)],
    ['actioned', 'reviewing', 'actioned'],
  );
});

test('409 conflict, and nothing is closed: the named report is closed, or claimed by another', async () => {
  const { input, ids } = await prepareReports(2);
  await review(server, colleague, ids[0] ?? '', { status: 'reviewing' });
  assertProblem(await askAll(moderator, { ...input, report_id: ids[0] ?? '' }), 'conflict');
  await review(server, colleague, ids[0] ?? '', { status: 'rejected' });
  assertProblem(await askAll(moderator, { ...input, report_id: ids[0] ?? '' }), 'conflict');
  assert.equal(await statusOf(ids[1] ?? ''), 'open');
});

test('201 on an account closes every report on the work that the named report is about', async () => {
  const { author, ids } = await prepareReports(2);
  const input = { target_type: 'principal', target_id: author.id, action: 'suspend' } as const;
  assert.equal((await askAll(moderator, { ...input, report_id: ids[0] ?? '' })).status, 201);
  assert.deepEqual(
    [await statusOf(ids[0] ?? ''), await statusOf(ids[1] ?? '')],
    ['actioned', 'actioned'],
  );
});

test('201 once: 20 moderators act on the same object by 20 different reports at once', async () => {
  const { input, target } = await prepareReports(0);
  const ids = await Promise.all(Array.from({ length: 20 }, () => report(server, target)));
  const many = await Promise.all(ids.map(() => aModerator(server)));
  const answers = await Promise.all(
    many.map((one, at) => askAll(one, { ...input, report_id: ids[at] ?? '' })),
  );
  const won = answers.filter(({ status }) => status === 201);
  assert.equal(won.length, 1);
  for (const answer of answers) if (answer.status !== 201) assertProblem(answer, 'conflict');
  for (const id of ids) {
    const changes = await changesOf(server, id);
    assert.deepEqual(
      changes.map(({ to_status }) => to_status),
      ['open', 'actioned'],
    );
    assert.equal(changes.at(-1)?.action_id, won[0]?.body.id);
  }
});

test('20 moderators at one queue: each takes the oldest open report, nobody acts twice, all are closed', async () => {
  const count = 10;
  const filed = new Set(await fillQueue(server, count));
  const many = await Promise.all(Array.from({ length: 20 }, () => aModerator(server)));
  const taken: string[] = [];
  await Promise.all(
    many.map(async (one) => {
      for (;;) {
        const path = '/v1/moderation/reports?status=open&limit=50';
        const { body } = await server.ask('GET', path, { token: one.token });
        const open = (body.items as readonly { readonly id: string }[]).filter(({ id }) =>
          filed.has(id),
        );
        const [oldest] = open;
        if (oldest === undefined) return;
        const claimed = await review(server, one, oldest.id, { status: 'reviewing' });
        if (claimed.status === 409) continue;
        assert.equal(claimed.status, 200);
        taken.push(oldest.id);
        const closed = await review(server, one, oldest.id, { status: 'rejected' });
        assert.equal(closed.status, 200);
      }
    }),
  );
  assert.deepEqual(taken.toSorted(), [...filed].toSorted());
});
