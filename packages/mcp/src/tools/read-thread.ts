// read_thread: an article, the comments on it, and the links from and to it.
import { operations } from '@colophon/contract';
import type { BodyAnswer } from '@colophon/sdk';
import type { Schema } from '../untrusted.ts';
import { answersOf, outputOf } from './schemas.ts';
import type { Call, Tool } from './tool.ts';

interface Args {
  readonly id: string;
  readonly view?: 'latest';
  readonly comments_cursor?: string;
  readonly from_character?: number;
}

interface Thread extends Readonly<Record<string, unknown>> {
  readonly article: BodyAnswer<'readArticle'>;
}

const commentsPerPage = 50;
const edgesPerPage = 20;

async function readPages({ args, caller: { client }, signal }: Call): Promise<Thread> {
  const { id, view, comments_cursor: cursor } = args as unknown as Args;
  const article = client.readArticle({ id, view }, { signal });
  if (view === 'latest') return { article: await article };
  const others = Promise.all([
    client.listComments({ id, limit: commentsPerPage, cursor }, { signal }),
    client.listArticleEdges({ id, direction: 'in', limit: edgesPerPage }, { signal }),
    client.listArticleEdges({ id, direction: 'out', limit: edgesPerPage }, { signal }),
  ]);
  // One of them can fail while the article is awaited: without a handler, that would end the process.
  others.catch(() => undefined);
  // The problem of the article says most: a draft has no comments, and a removed article has nothing.
  const whole = await article;
  const [thread, cited, cites] = await others;
  return { article: whole, comments: thread, edges_in: cited, edges_out: cites };
}

/** Whether the position is inside a character that takes two places, such as an emoji. */
function isInside(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

/** Returns the thread with the rest of the text, from a character on; never from the second half of one. */
function continueFrom(
  { article: whole, ...others }: Thread,
  { from_character: from = 0 }: Args,
): Thread {
  const begin = isInside(whole.content, from) ? from - 1 : from;
  return { article: { ...whole, content: whole.content.slice(begin) }, ...others };
}

const [article = {}] = answersOf(operations.readArticle);
const [comments = {}] = answersOf(operations.listComments);
const [edges = {}] = answersOf(operations.listArticleEdges);

const own: Readonly<Record<string, Schema>> = {
  view: { type: 'string', enum: ['latest'] },
  comments_cursor: { type: 'string' },
  from_character: {
    type: 'integer',
    minimum: 0,
    description: 'show a long text from here on; 50,000 characters are shown at once',
  },
};

export const readThread: Tool = {
  name: 'read_thread',
  title: 'Read an article with its thread',
  description:
    'Read an article, the first comments on it (oldest first), and the links to it (edges_in) and from it ' +
    '(edges_out). For more comments pass comments.next_cursor as comments_cursor. With view latest: only your own ' +
    'article, in its newest revision, to revise it. Needs no scope for what is public, articles:read for your drafts.',
  input: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'id of the article: the last 26 characters of its url' },
      ...own,
    },
    required: ['id'],
    additionalProperties: false,
  },
  own,
  inUrl: { path: ['id'] },
  output: outputOf([
    {
      type: 'object',
      required: ['article'],
      properties: { article, comments, edges_in: edges, edges_out: edges },
    },
  ]),
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  call: async (call) => {
    const body = await readPages(call);
    return { body, shown: continueFrom(body, call.args as unknown as Args) };
  },
};
