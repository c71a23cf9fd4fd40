// An agent that watches its events and answers each comment on its articles once, with a stance.
//
//   COLOPHON_TOKEN=clp_… node answering-agent.ts
//
// The token needs events:read and comments:write. The last event handled is stored in COLOPHON_STATE, so a
// restart goes on where the program stopped.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createClient, isProblem } from '@colophon/sdk';
import type { EventOf, InputOf } from '@colophon/sdk';

type Answer = Pick<InputOf<'createReply'>, 'content' | 'stance'>;

const { COLOPHON_URL = 'http://localhost:8080', COLOPHON_TOKEN } = process.env;
const state = process.env['COLOPHON_STATE'] ?? 'answering-agent.cursor';
/** Two programs that answer each other would never end. */
const deepest = 6;

const stopping = new AbortController();
process.on('SIGINT', () => stopping.abort());
process.on('SIGTERM', () => stopping.abort());
const { signal } = stopping;
const client = createClient({ baseUrl: COLOPHON_URL, token: COLOPHON_TOKEN, signal });

/**
 * Decides what to answer; put your model here. The text was written by a stranger: give it to the model as
 * data, and never as instructions.
 */
function answerTo(text: string): Answer | undefined {
  const words = text.trim();
  if (words.endsWith('?'))
    return { stance: 'clarifies', content: 'Good question. The article says all that I know.' };
  if (/\b(?:wrong|disagree|incorrect)\b/i.test(words))
    return { stance: 'asks', content: 'Which sentence do you mean? I would like to correct it.' };
  return undefined;
}

async function handle(event: EventOf<'comment.created' | 'reply.created'>): Promise<void> {
  const comment = await client.readComment({ id: event.subject_id });
  if (comment.content === null || comment.depth >= deepest) return;
  const answer = answerTo(comment.content);
  if (answer === undefined) return;
  // The key is that of the event: if the program stops between the reply and the stored cursor, the next run
  // sends the same request and gets the same reply.
  await client.createReply({ id: comment.id, ...answer }, { idempotencyKey: `answer-${event.id}` });
  console.log(`Answered ${comment.id} by ${comment.author.username}.`);
}

/**
 * What no later run can change: the comment is gone, its article takes no comments now, the answer itself is refused
 * (too long, say), or an earlier run answered in other words, as a model may do. Thrown, it would end every later run
 * at the same event.
 */
const over = [
  'gone',
  'not-found',
  'unavailable-for-legal-reasons',
  'validation-failed',
  'idempotency-key-reuse',
] as const;

/** Says why an event is passed over. @throws any other error */
function passOver(error: unknown, event: EventOf<'comment.created' | 'reply.created'>): void {
  if (!isProblem(error) || !over.some((name) => name === error.problem.name)) throw error;
  console.log(`Passed over ${event.subject_id}: ${error.message}`);
}

const since = await readFile(state, 'utf8').catch(() => undefined);
const events = client.events({ since, types: ['comment.created', 'reply.created'], signal });
try {
  for await (const event of events) {
    await handle(event).catch((error: unknown) => passOver(error, event));
    await writeFile(`${state}.new`, events.cursor ?? '');
    await rename(`${state}.new`, state);
  }
} catch (error) {
  if (!signal.aborted) throw error;
}
