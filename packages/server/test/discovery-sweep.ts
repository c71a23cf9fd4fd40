// Asks every place of discovery for every subject, each request once, and compares with the rules.
import { setTimeout as wait } from 'node:timers/promises';
import { wordsReported } from './discovery-words.ts';
import { articleSurfaces, personSurfaces, remarkSurfaces } from './discovery-surfaces.ts';
import type { PageAddress, Surface } from './discovery-surfaces.ts';
import type { Expected, Moment, Reader } from './discovery-rules.ts';
import type { Subject, Stage } from './discovery-scenarios.ts';

export interface Seen {
  readonly key: string;
  /** Of the last redirect. */
  readonly url: string;
  readonly accept: string;
  readonly tag: string | null;
  readonly status: number;
  readonly words: ReadonlySet<string>;
}

interface Question {
  readonly subject: Subject;
  readonly surface: string;
  readonly reader: Reader;
  readonly token: string | undefined;
  readonly place: PageAddress;
  readonly expected: Expected;
  readonly silent: boolean;
}

const readers: readonly Reader[] = ['anonymous', 'follower', 'author', 'moderator'];

function tokenOf({ moderator, follower }: Stage, subject: Subject, reader: Reader) {
  if (reader === 'moderator') return moderator.token;
  if (reader === 'follower') return follower.token;
  if (reader === 'anonymous') return undefined;
  if (subject.kind === 'principal') return subject.human.token;
  return subject.kind === 'comment' ? subject.author.token : subject.author.human.token;
}

/** The owner of a closed account has no token any more; of a comment, its author is a reader like others. */
function asks(subject: Subject, reader: Reader): boolean {
  if (reader !== 'author') return true;
  return subject.kind === 'article' && subject.author.closed === undefined;
}

function questionsOf<S extends Subject>(
  stage: Stage,
  subject: S,
  surfaces: Readonly<Record<string, Surface<S>>>,
  moment: Moment,
): Question[] {
  return Object.entries(surfaces).flatMap(([surface, { ask, rule, tokens, silent }]) => {
    const asked = ask(subject, stage);
    if (asked === undefined) return [];
    const place = typeof asked === 'string' ? { path: asked } : asked;
    const who = tokens ? readers.filter((one) => asks(subject, one)) : (['anonymous'] as const);
    return who.map((reader) => ({
      subject,
      surface,
      reader,
      place,
      silent: silent === true,
      token: tokenOf(stage, subject, reader),
      expected: rule(subject, { reader, moment }),
    }));
  });
}

/** All there is to ask at a moment. */
function questions(
  stage: Stage,
  subjects: readonly Subject[],
  moment: Moment,
): readonly Question[] {
  return subjects.flatMap((subject) => {
    if (subject.kind === 'article') return questionsOf(stage, subject, articleSurfaces, moment);
    if (subject.kind === 'comment') return questionsOf(stage, subject, remarkSurfaces, moment);
    return questionsOf(stage, subject, personSurfaces, moment);
  });
}

const hopsMax = 3;

const attempts = 20;

/** A share image that a busy machine did not draw in time is requested again, when its answer says. */
async function fetchDrawn(url: string, headers: Record<string, string>): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { headers, redirect: 'manual' });
    const isLate = response.status === 503 && url.includes('/og/') && attempt < attempts;
    if (!isLate) return response;
    await response.text();
    await wait(Number(response.headers.get('retry-after')) * 1_000);
  }
}

/** Follows redirects: what they say is part of the answer. */
async function answerTo(baseUrl: string, question: Question): Promise<Seen> {
  const { place, token } = question;
  const headers = {
    accept: place.accept ?? (place.path.startsWith('/v1/') ? 'application/json' : 'text/html'),
    // Compressing and unpacking thousands of answers would be a tenth of the work.
    'accept-encoding': 'identity',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  let told = '';
  let url = baseUrl + place.path;
  for (let hop = 0; hop < hopsMax; hop += 1) {
    const response = await fetchDrawn(url, headers);
    told += `${JSON.stringify([...response.headers])}\n${await response.text()}\n`;
    const location = response.headers.get('location');
    if (location === null)
      return {
        key: keyOf(question),
        url,
        accept: headers.accept,
        tag: response.headers.get('etag'),
        status: response.status,
        words: wordsReported(told, baseUrl + place.path),
      };
    url = new URL(location, url).href;
  }
  throw new Error(`${place.path} leads round in a circle.`);
}

/** Asks each different request once. */
async function answersTo(
  { server }: Stage,
  asked: readonly Question[],
): Promise<ReadonlyMap<string, Seen>> {
  const left = [...new Map(asked.map((one) => [keyOf(one), one])).entries()];
  const found = new Map<string, Seen>();
  const worker = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop())
      found.set(next[0], await answerTo(server.baseUrl, next[1]));
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  return found;
}

function keyOf({ place, token }: Question): string {
  return `${place.path} ${place.accept ?? ''} ${token ?? ''}`;
}

function isMet({ expected, silent, subject }: Question, { status, words }: Seen): boolean {
  const told = subject.words.some((word) => words.has(word));
  if (typeof expected === 'number') return status === expected && !told;
  if (expected === 'either') return status < 500;
  if (silent) return (status === 200) === (expected === 'shown');
  return expected === 'shown' ? status === 200 && told : status < 500 && !told;
}

/** Where each other word may stand: where its subject was asked for and the rule says so, or may say so. */
function allowance(asked: readonly Question[]): ReadonlyMap<string, ReadonlySet<Subject>> {
  const allowed = new Map<string, Set<Subject>>();
  for (const one of asked) {
    if (one.expected !== 'shown' && one.expected !== 'either') continue;
    const subjects = allowed.get(keyOf(one)) ?? new Set();
    allowed.set(keyOf(one), subjects.add(one.subject));
    if (one.subject.kind === 'comment') subjects.add(one.subject.on);
  }
  return allowed;
}

function isSlow(subject: Subject): boolean {
  if (subject.kind === 'principal') return false;
  if (subject.kind === 'article') return subject.rule.slow === true;
  return subject.slow || isSlow(subject.on);
}

/** Whether every answer may contain its words. */
function isPublic(subject: Subject): boolean {
  if (subject.kind === 'principal') return true;
  if (subject.kind === 'article') return subject.rule.listed;
  return subject.visible && subject.on.rule.listed;
}

/** Words that nothing may say now but answers to requests that were about them. */
function guardedWords(subjects: readonly Subject[], moment: Moment): ReadonlyMap<string, Subject> {
  const now = subjects.filter((one) => !isPublic(one) && !(isSlow(one) && moment === 'at once'));
  // What a text said before it was revised was public, and stays so until the pipeline has seen the new one.
  const past = subjects.filter(({ kind }) => kind === 'principal' || moment !== 'at once');
  return new Map([
    ...now.flatMap((one) => one.words.map((word) => [word, one] as const)),
    ...past.flatMap((one) => one.old.map((word) => [word, one] as const)),
  ]);
}

/** Words in answers to requests that were about something else. */
function strayWords(
  answers: ReadonlyMap<string, Seen>,
  allowed: ReadonlyMap<string, ReadonlySet<Subject>>,
  guard: ReadonlyMap<string, Subject>,
): readonly string[] {
  return [...answers].flatMap(([key, { words }]) =>
    [...words].flatMap((word) => {
      const subject = guard.get(word);
      if (subject === undefined) return [];
      const isOld = subject.old.includes(word);
      if (!isOld && allowed.get(key)?.has(subject) === true) return [];
      const what = isOld ? 'an old word' : 'a word';
      return [`${subject.name}: ${what} is told by ${key.split(' ', 2).join(' ')}`];
    }),
  );
}

export interface Sweep {
  readonly combinations: number;
  readonly requests: number;
  /** Places that have shown something. */
  readonly shown: ReadonlySet<string>;
  readonly faults: readonly string[];
}

/** A look at all questions, or at those whose name is `wanted`: subject, place and reader. */
export async function sweep(
  stage: Stage,
  subjects: readonly Subject[],
  moment: Moment,
  wanted: (name: string) => boolean = () => true,
): Promise<Sweep> {
  const all = questions(stage, subjects, moment);
  const asked = all.filter(({ subject, surface, reader }) =>
    wanted(`${subject.name}: ${surface} to ${reader}`),
  );
  const answers = await answersTo(stage, asked);
  const faults: string[] = [];
  const shown = new Set<string>();
  for (const one of asked) {
    const seen = answers.get(keyOf(one)) as Seen;
    const told = one.subject.words.filter((word) => seen.words.has(word));
    if (told.length > 0 || (one.silent && seen.status === 200)) shown.add(one.surface);
    if (isMet(one, seen)) continue;
    faults.push(
      `${one.subject.name}: ${one.surface} to ${one.reader}: ${seen.status}, told ${told.length} words, expected ${one.expected} (${one.place.path})`,
    );
  }
  faults.push(...strayWords(answers, allowance(all), guardedWords(subjects, moment)));
  return { combinations: asked.length, requests: answers.size, shown, faults };
}

/** What everybody without a token is told now. */
export async function answersNow(
  stage: Stage,
  subjects: readonly Subject[],
): Promise<readonly Seen[]> {
  const asked = questions(stage, subjects, 'at once');
  const answers = await answersTo(
    stage,
    asked.filter(({ token }) => token === undefined),
  );
  return [...answers.values()];
}

/** Stored answers that contain what no one may see there now, and that a revalidation confirms. */
export async function findOutdated(
  stage: Stage,
  subjects: readonly Subject[],
  kept: readonly Seen[],
): Promise<{ readonly asked: number; readonly faults: readonly string[] }> {
  const guard = guardedWords(subjects, 'at once');
  const allowed = allowance(questions(stage, subjects, 'at once'));
  const faults: string[] = [];
  let asked = 0;
  for (const { key, url, accept, tag, words } of kept) {
    const taken = [...words].some((word) => {
      const subject = guard.get(word);
      return subject !== undefined && allowed.get(key)?.has(subject) !== true;
    });
    if (tag === null || !taken) continue;
    const headers = { accept, 'if-none-match': tag };
    const response = await fetch(url, { headers, redirect: 'manual' });
    await response.arrayBuffer();
    asked += 1;
    if (response.status === 304) faults.push(`${url} as ${accept}`);
  }
  return { asked, faults };
}
