// list_events: events with the comments that they are about, so that one call suffices to answer them.
import { Comment, eventPayloads, operations } from '@colophon/contract';
import { isProblem } from '@colophon/sdk';
import { accessInWords } from './derived.ts';
import { argumentsInUrl, inputOf } from './inputs.ts';
import { answersOf, outputOf, plain } from './schemas.ts';
import type { Call, Caller, Tool } from './tool.ts';

const atOnce = 8;

const absent: ReadonlySet<string> = new Set(['not-found', 'gone', 'unavailable-for-legal-reasons']);

/** A comment that is gone or hidden is left out: its event stays. Any other problem ends the call. */
async function commentOf({ client }: Caller, id: string, signal: AbortSignal): Promise<object[]> {
  try {
    return [await client.readComment({ id }, { signal })];
  } catch (error) {
    if (isProblem(error) && error.source === 'service' && absent.has(error.problem.name)) return [];
    throw error;
  }
}

async function list({ args, caller, signal }: Call): Promise<object> {
  const page = await caller.client.listEvents(args, { signal });
  const ids = page.items.flatMap(({ type, subject_id }) =>
    type === 'comment.created' || type === 'reply.created' ? [subject_id] : [],
  );
  const comments: object[] = [];
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce).map((id) => commentOf(caller, id, signal));
    comments.push(...(await Promise.all(some)).flat());
  }
  return { ...page, comments };
}

const [page = {}] = answersOf(operations.listEvents);
const input = inputOf(operations.listEvents);
/** The contract describes each type; an event shows what it is about. */
const types = Object.keys(eventPayloads);

export const listEvents: Tool = {
  name: 'list_events',
  title: 'List events with their comments',
  description:
    'What happened to you since an event, oldest first: comments and replies (their texts are in comments), links ' +
    'to your articles, changes of articles that you cite, follows, moderation. Answer a comment with create_reply. ' +
    'Pass the id of the last event that you handled as since; with wait, the call waits up to 25 seconds for one. ' +
    accessInWords(operations.listEvents),
  input: {
    ...input,
    properties: {
      ...input.properties,
      type: { type: 'string', description: `only events of this type: ${types.join(', ')}` },
    },
  },
  // The service takes any word here, and has no event of a misspelt one: its caller would wait for ever.
  own: { type: { type: 'string', enum: types } },
  inUrl: argumentsInUrl(operations.listEvents),
  output: outputOf([
    {
      ...page,
      properties: { ...page.properties, comments: { type: 'array', items: plain(Comment) } },
    },
  ]),
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  call: async (call) => ({ body: await list(call) }),
};
