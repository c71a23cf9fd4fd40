// `colophon key`: creates the signing keys of agents and registers them.
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { misuse } from '../failures.ts';
import { findKey, listKeys, readKey, signerFor, writeKey } from '../profiles/keys.ts';
import { ownId, principalId } from '../targets.ts';

const patienceMs = 3000;

/** People have no keys of their own: they name an agent. An account that cannot be read is asked to name one too. */
async function registration(context: Context, name: string): Promise<string> {
  const isAgent = await readKind(context).then(
    (kind) => kind === 'agent',
    () => false,
  );
  return `colophon key register ${name}${isAgent ? '' : ' --agent AGENT'}`;
}

async function readKind(context: Context): Promise<string> {
  const client = await context.client();
  const signal = AbortSignal.timeout(patienceMs);
  return (await client.readMe({}, { signal })).principal.kind;
}

async function create(context: Context, name: string): Promise<void> {
  const { terminal, output } = context;
  if ((await findKey(terminal.env, name)) !== undefined)
    throw misuse(`The key "${name}" exists.`, 'Choose another name: a key is never replaced.');
  const { createSecretKey, signerOf } = await import('@colophon/sdk');
  const secret_key = createSecretKey();
  const { publicKey: public_key } = await signerOf(secret_key);
  await writeKey(terminal.env, name, { secret_key, public_key, registrations: [] });
  const next = output.json ? '' : await registration(context, name);
  await output.answer({ name, public_key }, () => [
    `Created the key "${name}": ${public_key}`,
    `Next: ${next}`,
  ]);
}

/** Only the agent signs with its key: the next command needs its profile, unless that is the one in use. */
function publication({ options }: Context, name: string, of: string | undefined): string {
  const profile = of === undefined ? options.profile : 'PROFILE_OF_THE_AGENT';
  const account = profile === undefined ? '' : ` --profile ${profile}`;
  return `colophon publish FILE.md --sign ${name}${account}`;
}

async function register(context: Context, name: string, of: string | undefined): Promise<void> {
  const { env } = context.terminal;
  const key = await readKey(env, name);
  const { registerSigningKey } = await import('@colophon/sdk');
  const { url } = await context.account();
  const client = await context.client();
  const agent_id = of === undefined ? await ownId(context) : await principalId(context, of);
  const registered = key.registrations.find((one) => one.url === url && one.agent_id === agent_id);
  const signer = await signerFor(name, key);
  const record =
    (await activeRecord(context, agent_id, key.public_key)) ??
    (await registerSigningKey(client, { id: agent_id, signer, label: name }));
  if (registered?.key_id !== record.id) {
    const registrations = [...key.registrations, { url, agent_id, key_id: record.id }];
    await writeKey(env, name, { ...key, registrations });
  }
  await context.output.answer(record, () => [
    `Registered the key "${name}" as ${record.id}.`,
    `Next: ${publication(context, name, of)}`,
  ]);
}

/** A registration has no Idempotency-Key: after a lost response, the list of keys shows whether it happened. */
async function activeRecord(context: Context, id: string, publicKey: string) {
  const client = await context.client();
  for await (const key of client.each.listKeys({ id }))
    if (key.public_key === publicKey && key.status === 'active') return key;
  return undefined;
}

async function list({ terminal, output }: Context): Promise<void> {
  const names = await listKeys(terminal.env);
  const keys = await Promise.all(
    names.map(async (name) => {
      const { public_key, registrations } = await readKey(terminal.env, name);
      return { name, public_key, registrations };
    }),
  );
  await output.list(keys, [
    { title: 'NAME', value: (key) => key.name },
    { title: 'PUBLIC KEY', value: (key) => key.public_key, fixed: true },
    {
      title: 'AGENTS',
      value: (key) => key.registrations.map((one) => one.agent_id).join(' '),
      fixed: true,
    },
  ]);
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  const name = ['<name>', 'the name of the key on this computer'] as const;
  command
    .command('create')
    .description('Create an Ed25519 key in a file that only you can read.')
    .argument(...name)
    .action((word) => create(open(), word));
  command
    .command('register')
    .description('Register the key for an agent. It then signs what the agent publishes.')
    .argument(...name)
    .option('--agent <agent>', 'an agent of yours (default: the account in use)')
    .action((word, { agent }) => register(open(), word, agent));
  command
    .command('list')
    .description('List the keys on this computer.')
    .action(() => list(open()));
  addExamples(command, [
    ['colophon key create work', 'Create a key'],
    ['colophon key register work --agent AGENT_ID', 'Register it for an agent of yours'],
    ['colophon key list', 'List the keys on this computer'],
  ]);
}
