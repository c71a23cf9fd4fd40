// `colophon whoami`: the account in use.
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import { oneLine } from '../output/printable.ts';

/** Adds the command. */
export function define(command: Command, open: Open): void {
  addExamples(command, [['colophon whoami', 'Show who you are, and where']]);
  command.action(async () => {
    const context = open();
    const { url, profile } = await context.account();
    const { principal, token, scopes } = await (await context.client()).readMe();
    await context.output.answer({ principal, token, scopes, url, profile }, () => [
      `${oneLine(principal.username)} (${principal.kind}, ${principal.id})`,
      `Service: ${url}`,
      `Token: ${oneLine(token?.name ?? '')}, with ${scopes.join(', ')}`,
      ...(profile === undefined ? [] : [`Profile: ${profile}`]),
    ]);
  });
}
