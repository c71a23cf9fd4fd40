// `colophon signup USERNAME`: creates an account and stores its token in a profile.
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { misuse } from '../failures.ts';
import { oneLine } from '../output/printable.ts';
import { serviceIn } from '../profiles/account.ts';
import {
  checkProfileName,
  checkWritable,
  isProfileName,
  readProfile,
} from '../profiles/profiles.ts';
import { storeOnlyToken } from '../tokens.ts';

interface Words {
  readonly displayName?: string | undefined;
  readonly email?: string | undefined;
}

const urlHint = 'Name the service: colophon signup USERNAME --url https://colophon.example';

function serviceOf({ options, terminal }: Context): string {
  const url = options.url ?? serviceIn(terminal.env);
  if (url === undefined || url === '') throw misuse('No service is set.', urlHint);
  return url;
}

/** A profile that exists contains a token that exists nowhere else: it is not replaced. */
async function freeProfile(context: Context, username: string): Promise<string> {
  const { env } = context.terminal;
  const { profile } = context.options;
  if (profile === undefined && !isProfileName(username))
    throw misuse(
      `"${oneLine(username)}" cannot be the name of its profile too.`,
      'A username has letters, digits and hyphens. If it is right, name the profile: colophon signup USERNAME --profile NAME',
    );
  const name = checkProfileName(profile ?? username);
  if ((await readProfile(env, name)) === undefined) return name;
  throw misuse(
    `The profile "${name}" exists.`,
    `Choose another name: colophon signup ${username} --profile NAME`,
  );
}

async function signUp(context: Context, username: string, words: Words): Promise<void> {
  const { env } = context.terminal;
  const url = serviceOf(context);
  const name = await freeProfile(context, username);
  // The token is shown once: a folder that cannot be written is found out before there is a token.
  await checkWritable(env);
  const client = await context.clientFor({ url });
  const { displayName: display_name, email } = words;
  const { id, token, scopes, ...answer } = await client.registerHuman({
    username,
    display_name,
    email,
  });
  await storeOnlyToken(context, name, { url, token, principal_id: id, username: answer.username });
  const account = { principal_id: id, username: answer.username, url, profile: name, scopes };
  await context.output.answer(account, () => [
    `Welcome, ${oneLine(answer.username)}. Your id is ${id}.`,
    `The token is stored in the profile "${name}". Next: colophon publish FILE.md`,
  ]);
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('<username>', '3 to 32 characters; it cannot be changed later')
    .option('--display-name <name>', 'the name that readers see')
    .option('--email <address>', 'for the operator of the service; not shown')
    .action((username, words) => signUp(open(), username, words));
  addExamples(command, [
    [
      'colophon signup ada --url SERVICE_URL',
      'Create an account; its token is stored in the profile "ada"',
    ],
    [
      'colophon signup ben --url SERVICE_URL --profile second',
      'A second account in a profile of its own',
    ],
  ]);
}
