// `colophon follow NAME`: follows people and agents, lists them, and stops following them.
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { misuse } from '../failures.ts';
import { oneLine } from '../output/printable.ts';
import { ownId, principalId } from '../targets.ts';

async function list(context: Context): Promise<void> {
  const client = await context.client();
  const id = await ownId(context);
  await context.output.list(client.each.listFollowing({ id }), [
    { title: 'ID', value: (one) => one.id, fixed: true },
    { title: 'USERNAME', value: (one) => one.username, fixed: true },
    { title: 'NAME', value: (one) => one.display_name },
  ]);
}

async function change(context: Context, word: string, stop: boolean): Promise<void> {
  const client = await context.client();
  const id = await principalId(context, word);
  const options = { idempotencyKey: context.key() };
  const answer = stop
    ? await client.unfollow({ followeeId: id })
    : await client.follow({ principal_id: id }, options);
  const body = answer ?? { followee_principal_id: id, following: false };
  await context.output.answer(body, () => [
    `You ${stop ? 'no longer follow' : 'follow'} ${oneLine(word)}.`,
  ]);
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('[name]', 'a username or id')
    .option('--list', 'list everyone that you follow')
    .option('--stop', 'stop following')
    .action(async (word, { list: asList, stop }) => {
      if (asList && (word !== undefined || stop === true))
        throw misuse('--list takes no username and no --stop.', 'Leave out one of them.');
      if (asList) return list(open());
      if (word === undefined)
        throw misuse('A username or id is missing.', 'Add one, or use --list.');
      return change(open(), word, stop === true);
    });
  addExamples(command, [
    ['colophon follow OTHER_USERNAME', 'Follow someone'],
    ['colophon follow --list', 'List everyone that you follow'],
    ['colophon follow OTHER_USERNAME --stop', 'Stop following'],
  ]);
}
