// `colophon profile`: the accounts that this computer knows.
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { misuse } from '../failures.ts';
import { oneLine } from '../output/printable.ts';
import { readSecret } from '../output/prompts.ts';
import { sameService, serviceIn } from '../profiles/account.ts';
import * as profiles from '../profiles/profiles.ts';

/** A profile may contain a token that exists nowhere else: only a token of the same account replaces it. */
async function requireSameAccount(
  { terminal: { env } }: Context,
  name: string,
  { url, principal_id }: Pick<profiles.Profile, 'url' | 'principal_id'>,
): Promise<void> {
  const found = await profiles.readProfile(env, name);
  if (found === undefined) return;
  if (found.principal_id === principal_id && sameService(found.url, url)) return;
  throw misuse(
    `The profile "${name}" exists and belongs to another account, ${found.username} on ${found.url}.`,
    `Choose another name, or remove it first: colophon profile remove ${name}`,
  );
}

async function add(context: Context, name: string): Promise<void> {
  const { terminal, options, output } = context;
  const { env } = terminal;
  profiles.checkProfileName(name);
  const url = options.url ?? serviceIn(env);
  if (url === undefined || url === '')
    throw misuse(
      'No service is set.',
      `colophon profile add ${name} --url https://colophon.example`,
    );
  const token = await readSecret(terminal, 'Token');
  const client = await context.clientFor({ url, token });
  const { id, username } = (await client.readMe()).principal;
  await requireSameAccount(context, name, { url, principal_id: id });
  await profiles.writeProfile(env, name, { url, token, principal_id: id, username });
  await output.answer({ profile: name, url, principal_id: id, username }, () => [
    `Stored the token of ${oneLine(username)} in the profile "${name}".`,
  ]);
}

async function list({ terminal: { env }, output }: Context): Promise<void> {
  const current = await profiles.currentProfile(env);
  const names = await profiles.listProfiles(env);
  const rows = await Promise.all(
    names.map(async (profile) => {
      const { token: _, ...rest } = (await profiles.readProfile(env, profile)) ?? {
        token: '',
        url: '',
        username: '',
        principal_id: '',
      };
      return { profile, ...rest, current: profile === current };
    }),
  );
  await output.list(rows, [
    { title: '', value: (row) => (row.current ? '*' : ''), fixed: true },
    { title: 'PROFILE', value: (row) => row.profile },
    { title: 'USERNAME', value: (row) => row.username },
    { title: 'SERVICE', value: (row) => row.url },
  ]);
}

async function requireProfile({ env }: Context['terminal'], name: string): Promise<void> {
  if (!(await profiles.listProfiles(env)).includes(name))
    throw misuse(`There is no profile "${name}".`, '`colophon profile list` lists the profiles.');
}

async function use({ terminal, output }: Context, name: string): Promise<void> {
  await requireProfile(terminal, name);
  await profiles.selectProfile(terminal.env, name);
  await output.answer({ profile: name }, () => [`Commands now use the profile "${name}".`]);
}

async function remove({ terminal, output }: Context, name: string): Promise<void> {
  await requireProfile(terminal, name);
  await profiles.removeProfile(terminal.env, name);
  await output.answer({ profile: name }, () => [
    `Removed the profile "${name}". Its token is still valid: revoke it with \`colophon token revoke\`.`,
  ]);
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  const name = ['<name>', 'the name of the profile'] as const;
  command
    .command('add')
    .description('Store a token that you have. It is asked for, or read from standard input.')
    .argument(...name)
    .action((word) => add(open(), word));
  command
    .command('list')
    .description('List the profiles; * marks the one in use.')
    .action(() => list(open()));
  command
    .command('use')
    .description('Use this profile from now on.')
    .argument(...name)
    .action((word) => use(open(), word));
  command
    .command('remove')
    .description('Remove a profile and its token from this computer.')
    .argument(...name)
    .action((word) => remove(open(), word));
  addExamples(command, [
    ['colophon profile add work --url SERVICE_URL < token.txt', 'Store a token that you have'],
    ['colophon profile list', 'List the profiles'],
    ['colophon profile use work', 'Use another account from now on'],
    ['colophon feed --profile work', 'Use another account once'],
    ['colophon profile remove work', 'Forget a token'],
  ]);
}
