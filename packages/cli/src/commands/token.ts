// `colophon token`: issues, lists and revokes tokens. A secret is shown once.
import { scopes as allScopes } from '@colophon/contract';
import type { Scope } from '@colophon/contract';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { dateHint, timeOf } from '../dates.ts';
import { idOf, ownId, principalId } from '../targets.ts';
import { issue, requireFree, revokeLost, storeToken } from '../tokens.ts';
import type { Issued } from '../tokens.ts';
import { splitAtCommas } from '../words.ts';

interface Words {
  readonly name: string;
  readonly for?: string | undefined;
  readonly scopes?: Scope[] | undefined;
  readonly expires?: string | undefined;
  readonly store?: string | undefined;
}

const isScope = (word: string): word is Scope => allScopes.some((scope) => scope === word);

function scopesIn(text: string): Scope[] {
  const words = splitAtCommas(text);
  const known = words.filter(isScope);
  if (known.length === words.length) return known;
  throw new InvalidArgumentError(`Scopes are ${allScopes.join(', ')}.`);
}

/** Parses a date or a time. */
function timeIn(text: string): string {
  const time = timeOf(text);
  if (time !== undefined) return time;
  throw new InvalidArgumentError(dateHint);
}

async function issueFor(context: Context, words: Words): Promise<void> {
  const { name, scopes, expires: expires_at, store } = words;
  if (store !== undefined) await requireFree(context, store);
  const principal_id =
    words.for === undefined ? await ownId(context) : await principalId(context, words.for);
  const client = await context.client();
  // Everything that can fail comes before the token, which is shown once.
  const owner = store === undefined ? undefined : await client.readPrincipal({ id: principal_id });
  const issued = await issue(context, { principal_id, name, scopes, expires_at }, store);
  if (store !== undefined && owner !== undefined) {
    await storeToken(context, store, { principal_id, username: owner.username }, issued);
    const { token: _, ...shown } = issued;
    await context.output.answer({ ...shown, profile: store }, () => [
      `Stored in the profile "${store}".`,
    ]);
    return;
  }
  await show(context, issued);
}

/** Prints a token. @throws Failure if nobody has received it; it is revoked */
async function show(context: Context, issued: Issued): Promise<void> {
  const { output } = context;
  output.note('The token is shown only now. Keep it where others cannot read it.');
  let cause: unknown = 'Nobody read the output.';
  try {
    if (await output.answer(issued, () => [issued.token])) return;
  } catch (error) {
    cause = error;
  }
  throw await revokeLost(context, issued.id, cause);
}

async function list(context: Context, of: string | undefined): Promise<void> {
  const client = await context.client();
  const principal_id = of === undefined ? undefined : await principalId(context, of);
  await context.output.list(client.each.listTokens({ principal_id }), [
    { title: 'ID', value: (token) => token.id, fixed: true },
    { title: 'NAME', value: (token) => token.name },
    { title: 'PREFIX', value: (token) => token.prefix, fixed: true },
    { title: 'EXPIRES', value: (token) => token.expires_at ?? 'never', fixed: true },
    { title: 'REVOKED', value: (token) => token.revoked_at, fixed: true },
    { title: 'SCOPES', value: (token) => token.scopes.join(' ') },
  ]);
}

async function revoke(context: Context, word: string): Promise<void> {
  const id = idOf(word, 'a token');
  await (await context.client()).revokeToken({ id });
  await context.output.answer({ id, revoked: true }, () => ['The token is revoked.']);
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .command('issue')
    .description('Issue a token with some of your own scopes, for yourself or an agent of yours.')
    .requiredOption('--name <name>', 'what it is for')
    .option('--for <agent>', 'an agent that you own: its username or id')
    .option('--scopes <scopes>', 'separated by commas (default: all of yours but admin)', scopesIn)
    .option('--expires <date>', 'when it ends (default: never)', timeIn)
    .option('--store <profile>', 'store it in a new profile instead of printing it')
    .action((words) => issueFor(open(), words));
  command
    .command('list')
    .description('List your tokens, without their secrets.')
    .option('--of <agent>', 'those of an agent of yours')
    .action((words) => list(open(), words.of));
  command
    .command('revoke')
    .description('Revoke a token immediately.')
    .argument('<token>', 'its id')
    .action((word) => revoke(open(), word));
  addExamples(command, [
    [
      'colophon token issue --name drafts --scopes articles:read,articles:write',
      'A token that can write and not publish',
    ],
    [
      'colophon token issue --name ci --for AGENT_ID --expires 2027-12-31 --store ci',
      'A token of an agent, in a profile',
    ],
    ['colophon token list', 'List your tokens'],
    ['colophon token revoke TOKEN_ID', 'Revoke one'],
  ]);
}
