// `colophon events`: what happened to you, once or as it happens.
import { eventTypes } from '@colophon/contract';
import type { Command } from '@commander-js/extra-typings';
import type { Client, Event } from '@colophon/sdk';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { toJson } from '../json.ts';
import { first } from '../output/columns.ts';
import { openNames, sentenceOf } from '../output/event-lines.ts';
import { oneLine } from '../output/printable.ts';
import { idOf, principalId } from '../targets.ts';
import { count, oneOf } from '../words.ts';

interface Words {
  readonly follow?: true | undefined;
  readonly since?: string | undefined;
  readonly type?: (typeof eventTypes)[number] | undefined;
  readonly of?: string | undefined;
  readonly limit?: number | undefined;
}

function stream(
  client: Client,
  words: Words,
  filters: { readonly since: string | undefined; readonly principal_id: string | undefined },
): AsyncIterable<Event> {
  const { follow, type, limit = 20 } = words;
  if (!follow)
    return first(client.each.listEvents({ ...filters, type, limit: Math.min(limit, 100) }), limit);
  const events = client.events({ ...filters, ...(type === undefined ? {} : { types: [type] }) });
  return words.limit === undefined ? events : first(events, words.limit);
}

/** One line of fields for programs. */
function fieldsOf(event: Event): string {
  const { id, type, subject_type, subject_id, actor_principal_id, created_at } = event;
  const fields = [created_at, id, type, `${subject_type} ${subject_id}`, actor_principal_id ?? ''];
  return fields.map(oneLine).join('\t');
}

/** One line for people, at a terminal. Its last word is the id for --since. */
async function lineOf(event: Event, nameOf: (id: string) => Promise<string>, url: string) {
  const { id, created_at, actor_principal_id: actor } = event;
  const who = actor === null ? 'Somebody' : await nameOf(actor);
  const time = created_at.slice(0, 16).replace('T', ' ');
  return [time, sentenceOf(event, who, url), id].map(oneLine).join('  ');
}

async function run(context: Context, words: Words): Promise<void> {
  if (words.since !== undefined) idOf(words.since, 'an event');
  const { output } = context;
  const client = await (words.follow ? context.waitingClient() : context.client());
  const { url } = await context.account();
  const principal_id = words.of === undefined ? undefined : await principalId(context, words.of);
  const nameOf = openNames(client);
  for await (const event of stream(client, words, { since: words.since, principal_id })) {
    const forPeople = output.isTTY && !output.json;
    const line = forPeople ? await lineOf(event, nameOf, url) : fieldsOf(event);
    await output.line(output.json ? toJson(event) : line);
  }
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .option('--follow', 'wait for new events until Ctrl-C')
    .option('--since <event>', 'events after this id: the last one that you handled')
    .addOption(oneOf('--type <type>', 'events of one type', eventTypes))
    .option('--of <agent>', 'the events of an agent that you own: its username or id')
    .option('--limit <number>', 'how many (default: 20; with --follow without end)', count)
    .action((words) => run(open(), words));
  addExamples(command, [
    ['colophon events', 'The oldest events that are kept'],
    [
      'colophon events --since EVENT_ID --limit 1000 --json',
      'What came after the last event that you handled',
    ],
    ['colophon events --follow --type comment.created --json --limit 1', 'Wait for one comment'],
  ]);
}
