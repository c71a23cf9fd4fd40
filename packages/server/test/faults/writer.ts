// Clients that write with keys, go on through every crash, and send what stayed unknown again.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { effort } from '../effort.ts';
import type { Answer, Entry, History, Kind } from './history.ts';

export interface Person {
  readonly id: string;
  readonly token: string;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Counters {
  /** Keys that were sent twice more after their answer, and the same key twice at once. */
  repeats: number;
  races: number;
  inProgress: number;
}

export interface Writer {
  readonly counters: Counters;
  readonly inFlight: () => number;
  /** Nothing is sent from now on until `resume`; what is under way goes on. */
  pause(): void;
  resume(): void;
  /** Finishes every client's present round. */
  stop(): Promise<void>;
}

interface Gate {
  passed: Promise<void>;
  open: () => void;
}

interface Desk {
  readonly baseUrl: string;
  readonly history: History;
  readonly counters: Counters;
  gate: Gate;
  stopped: boolean;
  inFlight: number;
}

const sendsMax = 60;
/** The share of keys that are sent three times. */
const repeated = effort(0.15, 0.5);
const answerMs = 20_000;

function closedGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}

/** undefined: no answer, so that the outcome is unknown. */
async function send(
  desk: Desk,
  person: Person,
  key: string,
  call: Call,
): Promise<Answer | undefined> {
  await desk.gate.passed;
  desk.inFlight += 1;
  try {
    const response = await fetch(desk.baseUrl + call.path, {
      method: call.method,
      headers: {
        authorization: `Bearer ${person.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
        ...call.headers,
      },
      body: JSON.stringify(call.body),
      signal: AbortSignal.timeout(answerMs),
    });
    const body = JSON.parse(await response.text()) as Answer['body'];
    return {
      status: response.status,
      replayed: response.headers.get('idempotency-replayed') === 'true',
      body,
    };
  } catch {
    // Refused, reset or cut: the writer must not care which.
    return undefined;
  } finally {
    desk.inFlight -= 1;
  }
}

function isInProgress(answer: Answer): boolean {
  return answer.status === 409 && String(answer.body['type']).endsWith('/idempotency-in-progress');
}

/** Sends until the fate of the call is known, always with its one key. */
async function settle(desk: Desk, person: Person, entry: Entry, call: Call): Promise<Answer> {
  while (entry.sends < sendsMax) {
    entry.sends += 1;
    const answer = await send(desk, person, entry.key, call);
    if (answer !== undefined && answer.status < 500 && !isInProgress(answer)) {
      entry.answer = answer;
      entry.state = answer.status < 300 ? 'ok' : 'fail';
      return answer;
    }
    if (answer !== undefined && isInProgress(answer)) desk.counters.inProgress += 1;
    else {
      assert.notEqual(
        answer?.status,
        500,
        `${call.method} ${call.path} failed: ${JSON.stringify(answer?.body)}`,
      );
      entry.state = 'unknown';
      entry.wasUnknown = true;
    }
    await wait(25);
  }
  throw new Error(`${call.method} ${call.path} stayed unknown after ${sendsMax} sends.`);
}

interface Work {
  readonly kind: Kind;
  readonly mark: string;
  readonly articleId?: string;
  readonly call: Call;
}

const noHeaders = {};

async function perform(desk: Desk, person: Person, work: Work): Promise<Answer> {
  const { kind, mark, articleId, call } = work;
  const key = crypto.randomUUID();
  const entry = desk.history.invoke({ key, kind, authorId: person.id, mark, articleId });
  const chance = Math.random();
  // The same key at the same time: one of the two has the effect, the other hears of it or is told to wait.
  const twin = chance < 0.1 ? send(desk, person, key, call) : undefined;
  if (twin !== undefined) desk.counters.races += 1;
  const answer = await settle(desk, person, entry, call);
  await twin;
  if (chance > 1 - repeated) {
    desk.counters.repeats += 1;
    for (let time = 0; time < 2; time += 1) {
      const again = await send(desk, person, key, call);
      if (again === undefined || again.status >= 300) continue;
      assert.equal(again.replayed, true, 'a repeated request is a replay');
      assert.deepEqual(again.body, answer.body, 'a replay answers what the first answer was');
    }
  }
  return answer;
}

function createWork(mark: string): Work {
  const body = {
    title: mark,
    content: `The text of *${mark}*.`,
    language: 'en',
    metadata: { mark },
  };
  return {
    kind: 'create',
    mark,
    call: { method: 'POST', path: '/v1/articles', body, headers: noHeaders },
  };
}

function reviseWork(
  articleId: string,
  expected: string,
  mark: string,
  kind: 'revise' | 'refused',
): Work {
  const body = { title: mark, content: `Another text: ${mark} "é" \u{1F600}\n` };
  const headers = { 'if-match': `"${expected}"` };
  return {
    kind,
    mark,
    articleId,
    call: { method: 'POST', path: `/v1/articles/${articleId}/revisions`, body, headers },
  };
}

function publishWork(articleId: string, revisionId: string): Work {
  const call = {
    method: 'POST',
    path: `/v1/articles/${articleId}/publish`,
    body: { revision_id: revisionId },
    headers: noHeaders,
  };
  return { kind: 'publish', mark: revisionId, articleId, call };
}

function text(answer: Answer, member: string): string {
  const value = answer.body[member];
  assert.equal(typeof value, 'string', `${member} in ${JSON.stringify(answer.body)}`);
  return value as string;
}

/** One article's life: a draft, revisions, a refused one on a stale revision, and its publication. */
async function round(desk: Desk, person: Person): Promise<void> {
  const mark = () => `mark ${crypto.randomUUID()}`;
  const draft = await perform(desk, person, createWork(mark()));
  const id = text(draft, 'id');
  const first = text(draft, 'revision_id');
  if (Math.random() < 0.3) await perform(desk, person, publishWork(id, first));
  const next = await perform(desk, person, reviseWork(id, first, mark(), 'revise'));
  if (Math.random() < 0.3) {
    const refused = await perform(desk, person, reviseWork(id, first, mark(), 'refused'));
    assert.equal(refused.status, 412, JSON.stringify(refused.body));
  }
  await perform(desk, person, publishWork(id, text(next, 'revision_id')));
}

/** Starts one client for each person. Nothing is sent before `resume`. */
export function startWriter(baseUrl: string, history: History, people: readonly Person[]): Writer {
  const counters: Counters = { repeats: 0, races: 0, inProgress: 0 };
  const desk: Desk = {
    baseUrl,
    history,
    counters,
    gate: closedGate(),
    stopped: false,
    inFlight: 0,
  };
  const clients = people.map(async (person) => {
    await desk.gate.passed;
    while (!desk.stopped) await round(desk, person);
  });
  const all = Promise.all(clients);
  // Reported by `stop`.
  all.catch(() => undefined);
  return {
    counters,
    inFlight: () => desk.inFlight,
    pause: () => {
      desk.gate = closedGate();
    },
    resume: () => desk.gate.open(),
    stop: async () => {
      desk.stopped = true;
      await all;
    },
  };
}
