// Writes of every kind that change or delete rows: what a vacuum has to clean up after.
import type { Registered } from './author.ts';
import { markdownOf } from './author.ts';
import { pick } from './steady-load.ts';
import type { Given } from './steady-load.ts';

interface Draft {
  readonly id: string;
  revision: string;
  readonly author: Registered;
}

interface Published {
  readonly id: string;
  readonly author: Registered;
}

interface Written {
  readonly drafts: Draft[];
  readonly published: Published[];
}

type Turn = Pick<Given, 'random' | 'send'> & {
  readonly author: Registered;
  readonly other: Registered;
  readonly written: Written;
};

/** The newest of each, which later turns change; older ones stay as they are. */
const keptMax = 5_000;
const texts = [300, 1_200, 4_000].map(markdownOf);
const languages = ['en', 'de', 'fr', 'es', 'ja'] as const;

function keep<T>(all: T[], one: T): void {
  all.push(one);
  if (all.length > keptMax) all.splice(0, 500);
}

function bodyOf(random: () => number) {
  const number = Math.floor(random() * 1e9);
  const metadata = { topics: [`topic ${number % 17}`] };
  return { title: `Article ${number}`, content: `${number} ${pick(texts, random)}`, metadata };
}

async function draft({ send, author, random, written }: Turn): Promise<void> {
  const made = await send('POST', '/v1/articles', author, bodyOf(random));
  const { id, revision_id: revision } = made;
  if (id !== undefined && revision !== undefined) keep(written.drafts, { id, revision, author });
}

/** Takes the draft out of those that others change: two revisions of one at once would refuse one of them. */
function take(drafts: Draft[], random: () => number): Draft | undefined {
  const at = Math.floor(random() * drafts.length);
  const last = drafts.pop();
  if (last === undefined || at >= drafts.length) return last;
  const taken = drafts[at];
  drafts[at] = last;
  return taken;
}

async function revise(turn: Turn): Promise<void> {
  const { random, send, written } = turn;
  const one = take(written.drafts, random);
  if (one === undefined) return draft(turn);
  const { revision_id: revision } = await send(
    'POST',
    `/v1/articles/${one.id}/revisions`,
    one.author,
    { ...bodyOf(random), expected_revision_id: one.revision },
  );
  if (revision !== undefined) written.drafts.push({ ...one, revision });
}

async function patch(turn: Turn): Promise<void> {
  const { random, send, written } = turn;
  if (written.drafts.length === 0) return draft(turn);
  const { id, author } = pick(written.drafts, random);
  await send('PATCH', `/v1/articles/${id}`, author, { language: pick(languages, random) });
}

async function publish(turn: Turn): Promise<void> {
  const one = take(turn.written.drafts, turn.random);
  if (one === undefined) return draft(turn);
  await turn.send('POST', `/v1/articles/${one.id}/publish`, one.author, {});
  keep(turn.written.published, one);
}

async function comment(turn: Turn): Promise<void> {
  const { random, send, author, written } = turn;
  if (written.published.length === 0) return publish(turn);
  const { id } = pick(written.published, random);
  await send('POST', `/v1/articles/${id}/comments`, author, { content: 'A comment.' });
}

async function remove(turn: Turn): Promise<void> {
  const one = take(turn.written.drafts, turn.random);
  if (one === undefined) return draft(turn);
  await turn.send('DELETE', `/v1/articles/${one.id}`, one.author);
}

/** Of a thousand writes, so many are of a kind. */
const acts: readonly (readonly [number, (turn: Turn) => Promise<unknown>])[] = [
  [250, draft],
  [200, patch],
  [200, revise],
  [80, remove],
  [30, publish],
  [60, comment],
  [
    60,
    ({ send, author, other }) => send('POST', '/v1/follows', author, { principal_id: other.id }),
  ],
  [60, ({ send, author, other }) => send('DELETE', `/v1/follows/${other.id}`, author)],
  [
    60,
    ({ send, author, random }) =>
      send('PATCH', `/v1/principals/${author.id}`, author, { display_name: `Name ${random()}` }),
  ],
];

/** Returns what makes one write of a kind by chance, on what the writes before it made. */
export function writingTurns(): (given: Given) => Promise<unknown> {
  const written: Written = { drafts: [], published: [] };
  return ({ authors, random, send }) => {
    const [author, other] = [pick(authors, random), pick(authors, random)];
    let left = random() * 1_000;
    for (const [share, act] of acts) {
      left -= share;
      if (left < 0) return act({ random, send, author, other, written });
    }
    return Promise.resolve();
  };
}
