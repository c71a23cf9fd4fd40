// What the moderators of a recorded site did: reports, actions and appeals in every state.
import type { Body, Caller } from '../caller.ts';
import type { People, Person } from './people.ts';
import type { Works } from './works.ts';

type Target = readonly [type: string, id: string];

async function report(
  caller: Caller,
  by: Person | null,
  [target_type, target_id]: Target,
  members: Body = {},
): Promise<string> {
  const body = { target_type, target_id, category: 'spam', details: 'Too much of it.', ...members };
  return (await caller.post('/v1/reports', by?.token ?? null, body))['id'];
}

export async function act(
  caller: Caller,
  by: Person,
  [target_type, target_id]: Target,
  members: Body,
): Promise<string> {
  const body = {
    target_type,
    target_id,
    reason_code: 'spam',
    reason_text: 'It sells ferns.',
    source: 'proactive',
    ...members,
  };
  return (await caller.post('/v1/moderation/actions', by.token, body))['id'];
}

async function appeal(caller: Caller, by: Person, actionId: string): Promise<string> {
  const path = `/v1/moderation/actions/${actionId}/appeal`;
  return (await caller.post(path, by.token, { text: 'It sells nothing.' }))['id'];
}

export function review(caller: Caller, by: Person, path: string, body: Body): Promise<Body> {
  return caller.done('POST', `/v1/moderation/${path}/review`, { token: by.token, body });
}

/** One report in each state; the last one was sent without an account. */
async function addReports(caller: Caller, { ann, ben, cat }: People, works: Works) {
  const on = (id: string): Target => ['article', id];
  const reports = {
    open: await report(caller, ben, ['principal', ann.id], { category: 'abuse' }),
    claimed: await report(caller, ben, on(works.main.id)),
    rejected: await report(caller, ben, on(works.signed.id)),
    actioned: await report(caller, ben, on(works.hidden.id)),
    unsigned: await report(caller, null, on(works.unlisted.id), {
      category: 'copyright',
      reporter_contact: 'somebody@example.org',
    }),
  };
  await review(caller, cat, `reports/${reports.claimed}`, { status: 'reviewing' });
  const resolution = 'Nothing is wrong with it.';
  await review(caller, cat, `reports/${reports.rejected}`, { status: 'rejected', resolution });
  return reports;
}

interface Objects {
  readonly works: Works;
  readonly comments: Body;
  readonly files: Body;
}

export async function moderate(
  caller: Caller,
  people: People,
  { works, comments, files }: Objects,
) {
  const { ann, cat, max, dora } = people;
  const reports = await addReports(caller, people, works);
  const to = (type: string, id: string, members: Body) => act(caller, cat, [type, id], members);
  const legal = { action: 'remove', source: 'legal', reason_code: 'court_order' };
  const actions = {
    hide: await to('article', works.hidden.id, {
      action: 'hide',
      source: 'report',
      report_id: reports.actioned,
    }),
    forGood: await to('article', works.rejected.id, { action: 'hide' }),
    mistake: await to('article', works.upheld.id, { action: 'hide' }),
    forAWhile: await to('article', works.restored.id, { action: 'hide' }),
    legal: await to('article', works.legal.id, legal),
    remove: await to('article', works.taken.id, { action: 'remove' }),
    deindex: await to('article', works.deindexed.id, { action: 'de-index' }),
    warn: await to('principal', ann.id, { action: 'warn', reason_text: null }),
    suspend: await to('principal', dora.id, { action: 'suspend' }),
    comment: await to('comment', comments['hidden'], { action: 'hide' }),
    legalComment: await to('comment', comments['legal'], { ...legal, reason_code: 'copyright' }),
    file: await to('media', files['hidden'], { action: 'hide' }),
    removedFile: await to('media', files['removed'], { action: 'remove' }),
  };
  await to('article', works.restored.id, { action: 'restore', reason_code: 'mistake' });
  const appeals = {
    open: await appeal(caller, ann, actions.hide),
    ofSuspended: await appeal(caller, dora, actions.suspend),
    rejected: await appeal(caller, ann, actions.forGood),
    upheld: await appeal(caller, ann, actions.mistake),
  };
  const resolution = 'It does sell ferns.';
  await review(caller, max, `appeals/${appeals.rejected}`, { status: 'rejected', resolution });
  const upheld = { action: 'restore', source: 'appeal', reason_code: 'appeal_upheld' };
  await act(caller, max, ['article', works.upheld.id], upheld);
  return { reports, actions, appeals };
}
