// What moderators of a random run do: claim, reject and close reports, act, restore, remove legally, decide appeals.
import { anyTarget } from './steps.ts';
import { send } from './world.ts';
import type { Lane } from './world.ts';

const actions = {
  article: ['hide', 'remove', 'de-index', 'warn'],
  comment: ['hide', 'remove', 'warn'],
  media: ['hide', 'remove', 'warn'],
  principal: ['suspend', 'de-index', 'warn'],
} as const;

async function review(lane: Lane): Promise<unknown> {
  const report = lane.pick(lane.world.reports);
  const body = { status: lane.pick(['reviewing', 'reviewing', 'rejected']) };
  return report && send(lane, 'POST', `/v1/moderation/reports/${report}/review`, { body });
}

/** Closes a report, mostly all on the same object, by an action. */
async function decide(lane: Lane): Promise<unknown> {
  const id = lane.pick(lane.world.reports);
  if (id === undefined) return undefined;
  const read = await send(lane, 'GET', `/v1/moderation/reports/${id}`);
  const { target_type, target_id } = read.body.report ?? read.body;
  const target = { target_type, target_id } as NonNullable<ReturnType<typeof anyTarget>>;
  return perform(lane, target, { report_id: id, all_reports: lane.chance(0.6), source: 'report' });
}

async function perform(
  lane: Lane,
  target: NonNullable<ReturnType<typeof anyTarget>>,
  members: object = {},
): Promise<unknown> {
  const { world } = lane;
  const action = lane.chance(0.45) ? 'restore' : lane.pick(actions[target.target_type]);
  const source = lane.chance(0.25) ? 'legal' : 'proactive';
  const body = { ...target, action, reason_code: 'spam', source, ...members };
  const done = await send(lane, 'POST', '/v1/moderation/actions', { keyed: true, body });
  const { target_type: targetType, target_id: targetId } = target;
  if (done.status === 201) world.acts.push({ id: done.body.id, targetType, targetId });
  return undefined;
}

async function intervene(lane: Lane): Promise<unknown> {
  const target = anyTarget(lane);
  return target && perform(lane, target);
}

async function judge(lane: Lane): Promise<unknown> {
  const appeal = lane.pick(lane.world.appeals);
  if (appeal === undefined) return intervene(lane);
  const path = `/v1/moderation/appeals/${appeal}`;
  if (lane.chance(0.5))
    return send(lane, 'POST', `${path}/review`, {
      body: { status: lane.pick(['rejected', 'upheld']) },
    });
  const { body } = await send(lane, 'GET', path);
  const { target_type, target_id } = body.appeal ?? body;
  if (target_id === undefined) return undefined;
  const restore = { target_type, target_id, action: 'restore', reason_code: 'appeal_upheld' };
  const sent = { keyed: true, body: { ...restore, source: 'appeal' } } as const;
  return send(lane, 'POST', '/v1/moderation/actions', sent);
}

/** Does something. */
export async function moderate(lane: Lane): Promise<void> {
  await lane.pick([review, decide, intervene, intervene, intervene, judge])?.(lane);
}
