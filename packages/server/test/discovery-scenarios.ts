// What the matrix of discovery looks at: articles, comments and people, each in its state, with words of its own.
import assert from 'node:assert/strict';
import type { Treatment } from '@colophon/contract';
import { createAgent } from './agents.ts';
import { comment } from './comments.ts';
import { rareWord } from './discovery-words.ts';
import { link } from './edges.ts';
import type { Human, Response, TestServer } from './harness.ts';
import type { Combination } from './visibility-cases.ts';

/** A participant with rare words in all names. */
export interface Person {
  readonly kind: 'principal';
  readonly name: string;
  readonly human: Human;
  readonly owner?: Person;
  readonly display: string;
  readonly words: readonly string[];
  readonly old: readonly string[];
  readonly closed: Treatment | undefined;
  readonly deindexed: boolean;
  /** The pipeline brings a name to search, and nothing before. */
  readonly late: boolean;
  /** The name that the account has now. */
  username: string;
}

export interface Article {
  readonly kind: 'article';
  readonly name: string;
  readonly id: string;
  readonly revisionId: string;
  readonly author: Person;
  readonly rule: ArticleState;
  /** As it is found: of a text that was revised, the newest. */
  title: string;
  topic: string;
  readonly deep: string;
  readonly words: readonly string[];
  /** Words that nothing says any more once the state is reached. */
  readonly old: readonly string[];
}

export interface Remark {
  readonly kind: 'comment';
  readonly name: string;
  readonly id: string;
  readonly on: Article;
  readonly author: Human;
  readonly visible: boolean;
  /** A moderator and its author still read it. */
  readonly hidden: boolean;
  /** The pipeline takes it away, and nothing before. */
  readonly slow: boolean;
  /** The pipeline brings it back to search, and nothing before. */
  readonly late: boolean;
  readonly words: readonly string[];
  readonly old: readonly string[];
}

export type Subject = Person | Article | Remark;

export interface Stage {
  readonly server: TestServer;
  readonly moderator: Human;
  /** Follows every author. */
  readonly follower: Human;
  /** A public article, to which all others are linked. */
  readonly target: { readonly id: string; readonly url: string };
}

export type Step<S> = (stage: Stage, subject: S) => Promise<unknown>;

/** What a participant becomes. */
export interface Becoming extends Partial<Pick<Person, 'closed' | 'deindexed' | 'late'>> {
  readonly renamed?: true;
  /** An agent, whose owner becomes the same. */
  readonly owned?: true;
}

/** A state, and the way to it: `before` reaches everything derived, `change` is what is looked at. */
export interface ArticleState {
  readonly state: Combination['state'];
  readonly visibility?: Combination['visibility'];
  readonly listed: boolean;
  readonly before?: Step<Article>;
  readonly change?: Step<Article>;
  /** Of an author who has nothing else, and becomes this. */
  readonly author?: Becoming;
  /** The pipeline brings it about, and nothing before. */
  readonly slow?: true;
  readonly retitled?: true;
}

export interface RemarkState {
  readonly visible: boolean;
  readonly before?: Step<Remark>;
  readonly change?: Step<Remark>;
  readonly hidden?: true;
  readonly slow?: true;
  /** Its author has nothing else, and leaves. */
  readonly closed?: Treatment;
}

export async function bodyOf(answer: Promise<Response>): Promise<Response['body']> {
  const { status, body } = await answer;
  assert.ok(status < 300, JSON.stringify(body));
  return body;
}

interface Text {
  readonly title: string;
  readonly body: string;
  readonly deep: string;
  readonly alt: string;
  readonly topic: string;
}

export function textOf(name: string): Text {
  const word = (place: string) => rareWord(`${name}, ${place}`);
  return {
    title: word('title'),
    body: word('body'),
    deep: word('deep'),
    alt: word('alt'),
    topic: word('topic'),
  };
}

export function membersOf({ title, body, deep, alt, topic }: Text) {
  const sentences = `The ${body} of rivers is long, and people walk along it in the evening.`;
  return {
    title: `About ${title} rivers`,
    content: `${sentences}\n\nFurther down they met a ${deep} of stone.\n\n![${alt}](https://example.com/a.png)\n`,
    language: 'en',
    metadata: { topics: [topic, 'Common ground'] },
  };
}

/** What a participant is called after another name. */
export function laterName(name: string): string {
  return rareWord(`${name}, later display`);
}

function namesOf(
  name: string,
  { closed, renamed, deindexed = false, late = false }: Becoming,
  { username, first, bio }: Readonly<Record<'username' | 'first' | 'bio', string>>,
) {
  const display = renamed ? laterName(name) : first;
  const old = [
    ...(renamed ? [first] : []),
    ...(closed === undefined ? [] : [display, bio]),
    ...(closed === 'pseudonymise' ? [username] : []),
  ];
  const words = [username, display, bio].filter((one) => !old.includes(one));
  return { display, words, old, closed, deindexed, late };
}

/** Creates an account whose names are rare words: a person, or an agent with its owner. */
export async function personOf(
  { server }: Pick<Stage, 'server'>,
  name: string,
  becomes: Becoming = {},
): Promise<Person> {
  const word = (place: string) => rareWord(`${name}, ${place}`);
  const [username, first, bio] = [word('username'), word('display'), word('bio')];
  const { closed, owned } = becomes;
  const owner = owned && (await personOf({ server }, `owner of ${name}`, { closed }));
  const human = owner
    ? await createAgent(server, owner.human, { username })
    : await server.register(username);
  const body = { display_name: `Anna ${first}`, bio: `Writes on ${bio} rivers.` };
  await bodyOf(server.ask('PATCH', `/v1/principals/${human.id}`, { token: human.token, body }));
  const names = namesOf(name, becomes, { username, first, bio });
  return { kind: 'principal', name, human, ...(owner ? { owner } : {}), username, ...names };
}

/** Everybody and everything before anything happens to it. */
export async function articleOf(
  stage: Stage,
  name: string,
  { author: everyone, rule }: { readonly author: Person; readonly rule: ArticleState },
): Promise<Article> {
  const { server, follower, target } = stage;
  const author = rule.author ? await personOf(stage, `author ${name}`, rule.author) : everyone;
  const text = textOf(name);
  const make = rule.state === 'draft' ? server.draft : server.published;
  const { id, revision_id: revisionId } = await make(author.human, membersOf(text));
  await link(server, author.human, [{ id }, target]);
  if (rule.author !== undefined)
    await bodyOf(
      server.ask('POST', '/v1/follows', {
        token: follower.token,
        body: { principal_id: author.human.id },
      }),
    );
  const { title, body, deep, alt, topic } = text;
  const later = textOf(`${name}, later`);
  const replaced = rule.retitled ? [title, body, alt, topic] : [];
  const words = rule.retitled
    ? [later.title, later.body, later.alt, later.topic, deep]
    : [title, body, deep, alt, topic];
  return {
    kind: 'article',
    name,
    id,
    revisionId,
    author,
    rule,
    title,
    topic,
    deep,
    words,
    old: replaced,
  };
}

/** A comment that says two rare words: one to look for, and one to find. */
export async function remarkOf(
  { server }: Stage,
  name: string,
  {
    on,
    author,
    rule,
  }: { readonly on: Article; readonly author: Human; readonly rule: RemarkState },
): Promise<Remark> {
  const words = [rareWord(`${name}, sought`), rareWord(`${name}, found`)];
  const content = `I saw a ${words[0]} and a ${words[1]} there.`;
  const { id } = await comment(server, author, on.id, { content });
  const { visible, hidden = false, slow = false } = rule;
  const late = rule.before !== undefined;
  return { kind: 'comment', name, id, on, author, visible, hidden, slow, late, words, old: [] };
}
