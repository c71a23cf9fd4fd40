// Events as lines for people: who did what, and where it can be read.
import { isProblem } from '@colophon/sdk';
import type { Client, Event } from '@colophon/sdk';

/** Returns who did it: the username, read once for each id, or the id of an account that cannot be read. */
export function openNames(client: Client): (id: string) => Promise<string> {
  const names = new Map<string, Promise<string>>();
  const read = async (id: string): Promise<string> => {
    try {
      return `@${(await client.readPrincipal({ id })).username}`;
    } catch (error) {
      if (isProblem(error)) return id;
      throw error;
    }
  };
  return (id) => {
    const name = names.get(id) ?? read(id);
    names.set(id, name);
    return name;
  };
}

/** Returns what happened, in words. `who`: the name of the account that did it. */
export function sentenceOf(event: Event, who: string, baseUrl: string): string {
  const { type, payload, subject_type, subject_id } = event;
  const comment = `${baseUrl}/comments/${subject_id}`;
  if (type === 'comment.created') return `${who} commented: ${comment}`;
  if (type === 'reply.created') return `${who} replied: ${comment}`;
  if (type === 'edge.created')
    return `${who} linked to your article ${subject_id}: ${payload.src_article_id} ${payload.kind} it`;
  if (type === 'citation.changed')
    return `The article ${subject_id}, which you cite, was ${payload.change}`;
  if (type === 'follow.created') return `${who} follows you`;
  if (type === 'moderation.action')
    return `Moderators: ${payload.action} (${payload.reason_code}) on the ${subject_type} ${subject_id}`;
  return `${type}: ${subject_type} ${subject_id}`;
}
