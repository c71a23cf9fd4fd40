// Who takes part in a random run, what there is, and how a request is sent: once, twice at once, or cancelled and again.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { createAgent } from '../agents.ts';
import { freshKey, problemName } from '../harness.ts';
import type { Asked, Human, Response, TestServer } from '../harness.ts';
import { aModerator } from '../moderators.ts';
import { randomFrom } from '../seed.ts';
import { until } from '../throw-away-database.ts';

export interface Person extends Human {
  /** The person who is charged: of an agent its owner. */
  readonly ownerId: string;
}

export interface Work {
  readonly id: string;
  readonly author: Person;
}

/** What a moderator did, with the account that may appeal. */
interface Act {
  readonly id: string;
  readonly targetType: string;
  readonly targetId: string;
}

/** What an owner was told to have made, and how often they could not be told. */
export interface Tally {
  readonly ids: Set<string>;
  unsure: number;
}

/** What is made with a key, so that what was answered and what there is can be compared. */
export type Made =
  | 'articles'
  | 'comments'
  | 'edges'
  | 'exports'
  | 'media'
  | 'publications'
  | 'revisions';

export interface World {
  readonly server: TestServer;
  readonly people: readonly Person[];
  /** They close their accounts in the middle of the run. */
  readonly leavers: readonly Person[];
  readonly moderators: readonly Person[];
  readonly works: Work[];
  readonly comments: Work[];
  readonly edges: Work[];
  readonly files: Work[];
  readonly reports: string[];
  readonly acts: Act[];
  readonly appeals: string[];
  /** By `what ownerId`. */
  readonly made: Map<string, Tally>;
  /** By what was done and what was answered: how often. */
  readonly seen: Map<string, number>;
}

/** One participant, who does one thing after the other. */
export interface Lane {
  readonly world: World;
  readonly who: Person;
  readonly random: () => number;
  readonly below: (most: number) => number;
  readonly pick: <T>(of: readonly T[]) => T | undefined;
  readonly chance: (share: number) => boolean;
}

export function laneOf(world: World, who: Person, seed: number): Lane {
  const random = randomFrom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const pick = <T>(of: readonly T[]) => of[below(of.length)];
  return { world, who, random, below, pick, chance: (share) => random() < share };
}

const asPerson = (human: Human, owner = human): Person => ({ ...human, ownerId: owner.id });

/** Three people, two of them with an agent; three others with an agent each, who will leave; two moderators. */
export async function createWorld(server: TestServer): Promise<World> {
  const register = (count: number) =>
    Promise.all(Array.from({ length: count }, () => server.register()));
  const withAgents = async (owners: readonly Human[]) => {
    const agents = await Promise.all(owners.map((owner) => createAgent(server, owner)));
    return agents.map((agent, at) => asPerson(agent, owners[at]));
  };
  const [people, leaving] = await Promise.all([register(3), register(3)]);
  const [agents, leavingAgents] = await Promise.all([
    withAgents(people.slice(0, 2)),
    withAgents(leaving),
  ]);
  const moderators = await Promise.all([aModerator(server), aModerator(server)]);
  return {
    server,
    people: [...people.map((one) => asPerson(one)), ...agents, ...leavingAgents],
    leavers: leaving.map((one) => asPerson(one)),
    moderators: moderators.map((one) => asPerson(one)),
    works: [],
    comments: [],
    edges: [],
    files: [],
    reports: [],
    acts: [],
    appeals: [],
    made: new Map(),
    seen: new Map(),
  };
}

export function everyone({ people, leavers, moderators }: World): readonly Person[] {
  return [...people, ...leavers, ...moderators];
}

function tallyOf(world: World, what: Made, ownerId: string): Tally {
  const name = `${what} ${ownerId}`;
  const tally = world.made.get(name) ?? { ids: new Set(), unsure: 0 };
  world.made.set(name, tally);
  return tally;
}

/** Longer than most requests take here: some are cancelled before, some in the middle, some not at all. */
const cancelMs = 25;

/** Sends a request and closes its connection before it may be answered. */
async function cancel(lane: Lane, method: string, path: string, asked: Asked): Promise<void> {
  const headers = new Headers(asked.headers);
  headers.set('authorization', `Bearer ${asked.token}`);
  if (asked.key !== undefined) headers.set('idempotency-key', String(asked.key));
  if (asked.body !== undefined) headers.set('content-type', 'application/json');
  const body = (asked.raw ?? JSON.stringify(asked.body)) as string | undefined;
  const address = lane.pick(lane.world.server.addresses) ?? '';
  const cancelled = new AbortController();
  const sent = fetch(address + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    signal: cancelled.signal,
  }).then((answer) => answer.arrayBuffer());
  // The time at which it happens is what is random here.
  await Promise.race([wait(lane.below(cancelMs)), sent.catch(() => undefined)]);
  cancelled.abort();
  await sent.catch(() => undefined);
}

const isGood = ({ status }: Response) => status < 300;

/** Asks until no other request with this key is being worked on. */
async function askThrough(world: World, method: string, path: string, asked: Asked) {
  let answer: Response | undefined;
  await until('the key is free', async () => {
    answer = await world.server.ask(method, path, asked);
    return problemName(answer) !== 'idempotency-in-progress';
  });
  assert.ok(answer);
  assert.ok(answer.status < 500, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Both at once, with one key or none: they may not both have an effect, and both answers of a key are the same. */
async function twice(world: World, method: string, path: string, asked: Asked) {
  const ask = () => askThrough(world, method, path, asked);
  const [one, other] = await Promise.all([ask(), ask()]);
  if (asked.key !== undefined && isGood(one) && isGood(other))
    assert.deepEqual(one.body, other.body, `${method} ${path}`);
  return isGood(one) ? one : other;
}

export interface Sent extends Omit<Asked, 'token' | 'key'> {
  /** It is sent with a key, and what is answered is one of these. */
  readonly makes?: Made;
  readonly keyed?: true;
  readonly who?: Person;
}

/** Sends a request of a lane, in one of the ways. Any refusal will do: several lanes act on the same things. */
export async function send(lane: Lane, method: string, path: string, sent: Sent = {}) {
  const { world } = lane;
  const { makes, keyed, who = lane.who, ...rest } = sent;
  const key = makes !== undefined || keyed ? { key: freshKey() } : {};
  const asked: Asked = { ...rest, ...key, token: who.token };
  const way = lane.random();
  if (way < 0.12) await cancel(lane, method, path, asked);
  const answer = await (way > 0.88 ? twice : askThrough)(world, method, path, asked);
  const name = `${method} ${path.replaceAll(/\/[0-9A-HJKMNP-TV-Z]{26}/g, '/…')} ${answer.status}`;
  world.seen.set(name, (world.seen.get(name) ?? 0) + 1);
  if (makes !== undefined) note(tallyOf(world, makes, who.ownerId), answer, asked, way < 0.12);
  return answer;
}

/** A cancelled request may have had its effect although its sender gets no answer. */
function note(tally: Tally, answer: Response, asked: Asked, isCancelled: boolean): void {
  if (isGood(answer)) tally.ids.add(idOf(answer, asked));
  else if (isCancelled && [401, 403].includes(answer.status)) tally.unsure += 1;
}

/** A publication has no id of its own, and a revision may be one that there was: the key says that it was asked for. */
function idOf({ body }: Response, { key }: Asked): string {
  if (body.processing !== undefined) return String(key);
  return String(body.unchanged === undefined ? body.id : body.revision_id);
}
