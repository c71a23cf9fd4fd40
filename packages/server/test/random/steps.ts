// What participants of a random run do: write, publish, take away, answer, link, follow, upload, report, appeal, leave.
import { rareWord } from '../discovery-words.ts';
import { pngOfLength } from '../media-files.ts';
import { seed } from '../seed.ts';
import { send } from './world.ts';
import type { Lane, Work } from './world.ts';

type Step = (lane: Lane) => Promise<unknown>;

const articlesMost = 10;
const topics = ['Hedgehogs', 'Moles of today', 'Owls', 'Wet meadows'];
const some = <T>(list: readonly T[], lane: Lane) => list.filter(() => lane.chance(0.4));

let count = 0;

function textOf(lane: Lane) {
  count += 1;
  return {
    title: `On ${rareWord(`title ${count} ${seed}`)}`,
    content: `What ${rareWord(`text ${count} ${seed}`)} did.`,
    metadata: { topics: some(topics, lane) },
  };
}

/** Mostly the caller's own, so that most requests are not refused. */
function one(lane: Lane, of: readonly Work[]): Work | undefined {
  const own = of.filter(({ author }) => author.id === lane.who.id);
  return lane.chance(0.9) ? lane.pick(own) : lane.pick(of);
}

const publish = (lane: Lane, id: string, body: object) =>
  send(lane, 'POST', `/v1/articles/${id}/publish`, { makes: 'publications', body });

async function create(lane: Lane): Promise<unknown> {
  const { world, who } = lane;
  if (world.works.length >= articlesMost) return revise(lane);
  const visibility = lane.pick(['public', 'public', 'public', 'unlisted', 'private']);
  const body = { ...textOf(lane), visibility };
  const made = await send(lane, 'POST', '/v1/articles', { makes: 'articles', body });
  if (made.status !== 201) return undefined;
  world.works.push({ id: made.body.id, author: who });
  return lane.chance(0.9) ? publish(lane, made.body.id, {}) : undefined;
}

async function revise(lane: Lane): Promise<unknown> {
  const work = one(lane, lane.world.works);
  if (work === undefined) return undefined;
  const path = `/v1/articles/${work.id}/revisions`;
  const listed = await send(lane, 'GET', path);
  const revisions = (listed.body.items ?? []) as readonly { readonly revision_id: string }[];
  const newest = revisions[0]?.revision_id;
  if (newest === undefined) return undefined;
  // An earlier one again.
  if (lane.chance(0.2))
    return publish(lane, work.id, { revision_id: lane.pick(revisions)?.revision_id });
  const body = { ...textOf(lane), expected_revision_id: newest };
  const made = await send(lane, 'POST', path, { makes: 'revisions', body });
  return made.status < 300 && lane.chance(0.8) ? publish(lane, work.id, {}) : undefined;
}

async function change(lane: Lane): Promise<unknown> {
  const work = one(lane, lane.world.works);
  const image = lane.pick(lane.world.files);
  const body = lane.pick([
    { visibility: 'public' },
    { visibility: 'public' },
    { visibility: 'unlisted' },
    { visibility: 'private' },
    { language: lane.pick(['en', 'de', 'und']) },
    { authorship_disclosure: 'ai_assisted' },
    { featured_media_id: image?.id ?? null },
  ]);
  return work && send(lane, 'PATCH', `/v1/articles/${work.id}`, { body });
}

async function takeAway(lane: Lane): Promise<unknown> {
  const work = one(lane, lane.world.works);
  if (work === undefined || lane.chance(0.4)) return undefined;
  const path = `/v1/articles/${work.id}`;
  if (lane.chance(0.6)) return send(lane, 'DELETE', path);
  const { status } = await send(lane, 'POST', `${path}/erase`, { body: { confirm: 'erase' } });
  // There is room for another one.
  const place = lane.world.works.indexOf(work);
  if (status === 200 && place >= 0) lane.world.works.splice(place, 1);
  return undefined;
}

async function comment(lane: Lane): Promise<unknown> {
  const { world, who } = lane;
  const [work, to] = [lane.pick(world.works), lane.pick(world.comments)];
  count += 1;
  const stance = lane.pick([{}, { stance: 'supports' }, { stance: 'asks' }]);
  const body = { content: `I say ${rareWord(`remark ${count} ${seed}`)}.`, ...stance };
  const [path, id] = lane.chance(0.6)
    ? ['/v1/articles/…/comments', work?.id]
    : ['/v1/comments/…/replies', to?.id];
  if (id === undefined) return undefined;
  const made = await send(lane, 'POST', path.replace('…', id), { makes: 'comments', body });
  if (made.status === 201) world.comments.push({ id: made.body.id, author: who });
  return undefined;
}

async function deleteComment(lane: Lane): Promise<unknown> {
  const old = one(lane, lane.world.comments);
  return old && send(lane, 'DELETE', `/v1/comments/${old.id}`);
}

async function link(lane: Lane): Promise<unknown> {
  const { world, who } = lane;
  const [from, to, via] = [
    one(lane, world.works),
    lane.pick(world.works),
    lane.pick(world.comments),
  ];
  if (from === undefined || to === undefined) return undefined;
  const target = lane.chance(0.8)
    ? { dst_article_id: to.id }
    : { dst_uri: `https://example.org/${lane.below(3)}` };
  const body = {
    src_article_id: from.id,
    kind: lane.pick(['cites', 'extends', 'reviews', 'corrects', 'supersedes']),
    ...target,
    ...(lane.chance(0.3) ? { note: 'A note.' } : {}),
    ...(via !== undefined && lane.chance(0.1) ? { via_comment_id: via.id } : {}),
  };
  const made = await send(lane, 'POST', '/v1/edges', { makes: 'edges', body });
  if (made.status === 201) world.edges.push({ id: made.body.id, author: who });
  return undefined;
}

async function unlink(lane: Lane): Promise<unknown> {
  const edge = one(lane, lane.world.edges);
  return edge && send(lane, 'DELETE', `/v1/edges/${edge.id}`);
}

async function follow(lane: Lane): Promise<unknown> {
  const { people, leavers } = lane.world;
  const other = lane.pick([...people, ...leavers]);
  if (other === undefined) return undefined;
  return lane.chance(0.65)
    ? send(lane, 'POST', '/v1/follows', { body: { principal_id: other.id } })
    : send(lane, 'DELETE', `/v1/follows/${other.id}`);
}

async function upload(lane: Lane): Promise<unknown> {
  const { world, who } = lane;
  const made = await send(lane, 'POST', '/v1/media', { makes: 'media', body: { kind: 'image' } });
  if (made.status !== 201) return undefined;
  world.files.push({ id: made.body.id, author: who });
  const raw = lane.chance(0.15)
    ? Buffer.from('no image at all')
    : pngOfLength(lane.pick([200, 300, 300, 777]) ?? 200);
  const headers = { 'content-type': 'application/octet-stream' };
  return send(lane, 'PUT', `/v1/media/${made.body.id}/content`, { raw, headers });
}

async function deleteFile(lane: Lane): Promise<unknown> {
  const file = one(lane, lane.world.files);
  return file && send(lane, 'DELETE', `/v1/media/${file.id}`);
}

/** Something that somebody may report or act on, by type. */
export function anyTarget(lane: Lane) {
  const { world } = lane;
  const [target_type, list] = lane.pick([
    ['article', world.works],
    ['article', world.works],
    ['comment', world.comments],
    ['media', world.files],
    ['principal', [...world.people, ...world.leavers]],
  ] as const) ?? ['article', world.works];
  const target = lane.pick(list as readonly { readonly id: string }[]);
  return target && { target_type, target_id: target.id };
}

async function report(lane: Lane): Promise<unknown> {
  const target = anyTarget(lane);
  if (target === undefined) return undefined;
  const body = { ...target, category: lane.pick(['spam', 'abuse', 'other']) };
  const made = await send(lane, 'POST', '/v1/reports', { body });
  if (made.status === 201) lane.world.reports.push(made.body.id);
  return undefined;
}

async function appeal(lane: Lane): Promise<unknown> {
  const act = lane.pick(lane.world.acts);
  if (act === undefined) return undefined;
  const { works, comments, files, people } = lane.world;
  const found = [...works, ...comments, ...files].find(({ id }) => id === act.targetId)?.author;
  const who = found ?? people.find(({ id }) => id === act.targetId) ?? lane.who;
  const path = `/v1/moderation/actions/${act.id}/appeal`;
  const made = await send(lane, 'POST', path, { who, body: { text: 'It was not spam.' } });
  if (made.status === 201) lane.world.appeals.push(made.body.id);
  return undefined;
}

const exportAll: Step = (lane) => send(lane, 'POST', '/v1/exports', { makes: 'exports', body: {} });

const rename: Step = (lane) =>
  send(lane, 'PATCH', `/v1/principals/${lane.who.id}`, {
    body: { display_name: `Person ${lane.below(99)}` },
  });

/** Steps by how often they are drawn. */
const steps: readonly (readonly [Step, number])[] = [
  [create, 4],
  [revise, 4],
  [change, 5],
  [takeAway, 2],
  [comment, 8],
  [deleteComment, 3],
  [link, 6],
  [unlink, 3],
  [follow, 4],
  [upload, 3],
  [deleteFile, 2],
  [report, 3],
  [appeal, 2],
  [exportAll, 0.4],
  [rename, 1],
];
const sum = steps.reduce((total, [, weight]) => total + weight, 0);

/** Does something. */
export async function act(lane: Lane): Promise<void> {
  let left = lane.random() * sum;
  for (const [step, weight] of steps) {
    left -= weight;
    if (left < 0) return void (await step(lane));
  }
}

/** Closes the account; what comes afterwards is refused. */
export function leave(lane: Lane, articles: string) {
  const path = `/v1/principals/${lane.who.id}/close`;
  return send(lane, 'POST', path, { keyed: true, body: { confirm: 'close', articles } });
}
