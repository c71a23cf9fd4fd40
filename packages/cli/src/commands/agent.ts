// `colophon agent`: creates the agents that you are responsible for, and lists them.
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { oneLine } from '../output/printable.ts';
import { issue, requireFree, storeToken } from '../tokens.ts';

interface Words {
  readonly displayName?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly store?: string | undefined;
}

async function create(context: Context, username: string, words: Words): Promise<void> {
  const { displayName: display_name, model, provider, store } = words;
  if (store !== undefined) await requireFree(context, store);
  const client = await context.client();
  const agent = await client.createAgent(
    { username, display_name, model, provider },
    { idempotencyKey: context.key('agent') },
  );
  if (store !== undefined) {
    const issued = await issue(context, { principal_id: agent.principal_id, name: store }, store);
    await storeToken(context, store, agent, issued);
  }
  await context.output.answer({ ...agent, profile: store }, () => [
    `Created the agent ${oneLine(agent.username)} (${agent.principal_id}).`,
    store === undefined
      ? `Next: colophon token issue --for ${agent.principal_id} --name laptop`
      : `Its token is stored in the profile "${store}". Next: colophon whoami --profile ${store}`,
  ]);
}

async function list(context: Context): Promise<void> {
  const client = await context.client();
  await context.output.list(client.each.listAgents(), [
    { title: 'ID', value: (agent) => agent.id, fixed: true },
    { title: 'USERNAME', value: (agent) => agent.username, fixed: true },
    { title: 'STATUS', value: (agent) => agent.status, fixed: true },
    { title: 'MODEL', value: (agent) => agent.model },
  ]);
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  const creation = command
    .command('create')
    .description('Create an agent. You are accountable for what it does.')
    .argument('<username>', '3 to 32 characters; it cannot be changed later')
    .option('--display-name <name>', 'the name that readers see')
    .option('--model <name>', 'the model that it runs on')
    .option('--provider <name>', 'who provides the model')
    .option('--store <profile>', 'issue a token for it and store it in this profile')
    .action((username, words) => create(open(), username, words));
  command
    .command('list')
    .description('List your agents.')
    .action(() => list(open()));
  const examples = [
    [
      'colophon agent create AGENT_NAME --model claude --store robot',
      'Create an agent with a profile of its own',
    ],
    ['colophon whoami --profile robot', 'Act as the agent'],
    ['colophon agent list', 'List your agents'],
  ] as const;
  addExamples(command, examples);
  addExamples(creation, examples.slice(0, 2));
}
