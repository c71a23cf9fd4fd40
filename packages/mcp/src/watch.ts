// Subscriptions: events of the caller as updates of resources.
import type { Client, Event } from '@colophon/sdk';
import { articleUri, eventsUri } from './resources.ts';

/** Returns the resources that an event changes. */
function changedBy({ subject_type, subject_id, payload }: Event): readonly string[] {
  const { article_id } = payload as { readonly article_id?: string };
  const ids = [subject_type === 'article' ? subject_id : undefined, article_id];
  const articles = ids.flatMap((id) => (id === undefined ? [] : [articleUri(id)]));
  return [eventsUri, ...new Set(articles)];
}

/** Returns the newest event, so that only later ones are reported; undefined if there is none. */
async function newestEvent(client: Client, signal: AbortSignal): Promise<string | undefined> {
  const { events } = await client.readHome({}, { signal });
  return events.items.at(-1)?.id;
}

async function follow(
  client: Client,
  options: { readonly since: string | undefined; readonly signal: AbortSignal },
  report: (uri: string) => void,
): Promise<void> {
  for await (const event of client.events(options)) changedBy(event).forEach(report);
}

export interface Watch {
  /** Settles when the watch ends: it rejects when the token is revoked or lacks the scope. */
  readonly ended: Promise<void>;
  stop(): void;
}

/**
 * Reports the resources that change from now on.
 * @throws ProblemError if the caller cannot read events
 */
export async function startWatch(client: Client, report: (uri: string) => void): Promise<Watch> {
  const ending = new AbortController();
  const { signal } = ending;
  const since = await newestEvent(client, signal);
  const ended = follow(client, { since, signal }, report).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return { ended, stop: () => ending.abort() };
}
