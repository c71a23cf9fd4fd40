// The desk goes on: appeals and reports of before are decided, and what was taken away comes back.
import assert from 'node:assert/strict';
import { act, review } from '../site/desk.ts';
import { article } from '../site/works.ts';
import { untilStatus } from './later.ts';
import type { Continued } from './later.ts';

const back = { action: 'restore', reason_code: 'mistake', reason_text: null };

export const desk: Continued = {
  'an open appeal is upheld by another moderator, its article reads again, and its author is told':
    async (later) => {
      const { caller, kept } = later;
      const { ann, cat, max } = kept.people;
      const { id } = kept.works.hidden;
      const body = { status: 'rejected', resolution: null };
      const path = `/v1/moderation/appeals/${kept.desk.appeals.open}`;
      const own = await caller.ask('POST', `${path}/review`, { token: cat.token, body });
      assert.equal(own.status, 403, 'not by the moderator who acted');
      const upheld = { ...back, source: 'appeal', reason_code: 'appeal_upheld' };
      await act(caller, max, ['article', id], upheld);
      await untilStatus(later, `/v1/articles/${id}`, 200);
      const read = await caller.done('GET', path, { token: max.token });
      assert.equal(read['status'], 'upheld');
      const events = '/v1/events?type=appeal.resolved&limit=100';
      const { items } = await caller.done('GET', events, { token: ann.token });
      assert.equal(items.at(-1).payload.appeal_id, kept.desk.appeals.open);
    },
  'an appeal that was rejected stays rejected': async ({ caller, kept }) => {
    const { max } = kept.people;
    const path = `/v1/moderation/appeals/${kept.desk.appeals.rejected}/review`;
    const again = await caller.ask('POST', path, { token: max.token, body: { status: 'upheld' } });
    assert.equal(again.status, 409);
  },
  'a removal for legal reasons is reversed for legal reasons only': async (later) => {
    const { caller, kept } = later;
    const path = `/v1/articles/${kept.works.legal.id}`;
    const target = ['article', kept.works.legal.id] as const;
    await assert.rejects(act(caller, kept.people.max, target, back), /409/);
    await act(caller, kept.people.max, target, { ...back, source: 'legal' });
    await untilStatus(later, path, 200);
  },
  'a suspended account writes again after its appeal was upheld': async ({ caller, kept }) => {
    const { dora, max } = kept.people;
    const draft = { token: dora.token, body: { title: 'Now', content: 'A text.' } };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    assert.equal((await caller.ask('POST', '/v1/articles', { ...draft, headers })).status, 403);
    const upheld = { ...back, source: 'appeal', reason_code: 'appeal_upheld' };
    await act(caller, max, ['principal', dora.id], upheld);
    await article(caller, dora);
  },
  'the claimed report is closed by who claimed it, and an open one with an action': async ({
    caller,
    kept,
  }) => {
    const { cat, max } = kept.people;
    const { claimed, unsigned } = kept.desk.reports;
    const body = { status: 'rejected', resolution: 'It is fine.' };
    await assert.rejects(review(caller, max, `reports/${claimed}`, body), /409/);
    assert.equal((await review(caller, cat, `reports/${claimed}`, body))['status'], 'rejected');
    const warn = { action: 'warn', source: 'report', report_id: unsigned };
    await act(caller, max, ['article', kept.works.unlisted.id], warn);
    const path = `/v1/moderation/reports/${unsigned}`;
    assert.equal((await caller.done('GET', path, { token: max.token }))['status'], 'actioned');
  },
};
