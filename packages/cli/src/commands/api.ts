// `colophon api OPERATION`: every operation of the contract, with flags made from its schemas.
import { resolve } from 'node:path';
import { operationList, scopesOf } from '@colophon/contract';
import { Option } from '@commander-js/extra-typings';
import type { Command } from '@commander-js/extra-typings';
import { describe, kebab, membersOf, typesOf } from '../api/members.ts';
import type { Member, Operation } from '../api/members.ts';
import { readNamed, textFrom, valueOf } from '../api/values.ts';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { misuse } from '../failures.ts';
import { isObject, parseJson, toJson } from '../json.ts';
import { writeResults } from '../result-files.ts';

type Input = Readonly<Record<string, unknown>>;
type Words = Readonly<Record<string, string | readonly string[] | undefined>>;
type Methods = Readonly<Record<string, (input: Input, options: object) => Promise<unknown>>>;
type Lists = Readonly<Record<string, (input: Input) => AsyncIterable<unknown>>>;

/** Flags that are not members of an operation. */
const own = { body: 'body', file: 'file', output: 'output', all: 'all' } as const;

const camel = (flag: string) =>
  flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function optionOf(member: Member): Option {
  const { flag, schema } = member;
  const types = typesOf(schema);
  const values = schema.enum ?? schema.items?.enum;
  if (types.includes('boolean')) {
    const option = new Option(`--${flag} [boolean]`, describe(member));
    return option.choices(['true', 'false']).preset('true') as unknown as Option;
  }
  const kind = types.find((type) => type !== 'null') ?? 'string';
  const shape = kind === 'array' ? '<values...>' : `<${kind === 'object' ? 'json' : kind}>`;
  const option = new Option(`--${flag} ${shape}`, describe(member));
  if (values === undefined) return option;
  return option.choices(values.map(String)) as unknown as Option;
}

async function bodyFrom(context: Context, word: string | undefined): Promise<Input> {
  if (word === undefined) return {};
  const body = parseJson(await textFrom(context.terminal, word));
  if (isObject(body)) return body;
  throw misuse('--body is not a JSON object.', 'Write --body @FILE, --body - or --body JSON.');
}

async function bytesFrom({ terminal }: Context, file: unknown): Promise<Input> {
  return typeof file === 'string' ? { bytes: await readNamed(terminal, file) } : {};
}

/** Returns path, query and body members side by side, as the client takes them. */
async function inputOf(context: Context, operation: Operation, words: Words): Promise<Input> {
  const members = membersOf(operation);
  const input: Record<string, unknown> = {
    ...(await bodyFrom(context, words[own.body] as string | undefined)),
    ...(await bytesFrom(context, words[own.file])),
  };
  for (const member of members) {
    const word = words[camel(member.flag)];
    if (word !== undefined) input[member.name] = await valueOf(context.terminal, member, word);
  }
  const missing = members.filter(({ name, required }) => required && input[name] === undefined);
  if (missing.length > 0) {
    throw misuse(
      `Missing: ${missing.map(({ flag }) => `--${flag}`).join(', ')}.`,
      `\`colophon api ${kebab(operation.name)} --help\` describes every flag.`,
    );
  }
  return input;
}

async function printBytes(context: Context, blob: Blob, file: unknown): Promise<void> {
  const { terminal, output } = context;
  const bytes = new Uint8Array(await blob.arrayBuffer());
  if (typeof file === 'string')
    return writeResults([{ path: resolve(terminal.folder, file), name: file, content: bytes }]);
  if (output.isTTY)
    throw misuse('The answer is not a text.', 'Write it into a file: --output FILE');
  terminal.output.write(bytes);
}

async function callAll(context: Context, operation: Operation, input: Input): Promise<void> {
  const { each } = await context.client();
  const items = (each as unknown as Lists)[operation.name];
  if (items === undefined) throw misuse('--all is for lists.', 'Leave it out.');
  for await (const item of items(input)) await context.output.line(toJson(item));
}

/** The key of the invocation is the key of its only write. */
function keyFor(context: Context, operation: Operation): object {
  const { idempotency } = operation as { readonly idempotency?: string };
  return idempotency === undefined ? {} : { idempotencyKey: context.key() };
}

async function call(context: Context, operation: Operation, words: Words): Promise<void> {
  const input = await inputOf(context, operation, words);
  if (words[own.all] !== undefined) return callAll(context, operation, input);
  const methods = (await context.client()) as unknown as Methods;
  const body = await methods[operation.name]?.(input, keyFor(context, operation));
  if (body instanceof Blob) return printBytes(context, body, words[own.output]);
  if (body !== undefined) await context.output.line(toJson(body, context.output.isTTY ? 2 : 0));
}

const accessWords: Readonly<Record<string, string>> = {
  public: 'Needs no token.',
  token: 'Needs a token.',
};

function isList({ answers }: Operation): boolean {
  const { properties = {} } = ((answers as Input)[200] ?? {}) as { readonly properties?: object };
  return 'items' in properties && 'next_cursor' in properties;
}

/** Adds the flags of an operation and what its help says. */
function defineOperation(command: Command, operation: Operation, open: Open): void {
  const { summary, method, path, access } = operation;
  const needed = scopesOf(operation).join(' and ');
  const { description } = operation as { readonly description?: string };
  const text = description === undefined ? `${summary}.` : `${summary}. ${description}`;
  command.description(`${text}\n\n${method} ${path}. ${accessWords[access] ?? `Needs ${needed}.`}`);
  for (const member of membersOf(operation)) command.addOption(optionOf(member));
  if (operation.body) command.option('--body <json>', 'members as JSON: @FILE, - or the text');
  if ('upload' in operation) command.requiredOption('--file <file>', 'the file to send');
  if ('contentTypes' in operation) command.option('--output <file>', 'write the answer here');
  if (isList(operation)) command.option('--all', 'all pages, one JSON object per line');
  command.action((words) => call(open(), operation, words as Words));
}

/** Adds one command for each operation; flags only for the one that is named. */
export function define(command: Command, open: Open, words: readonly string[]): void {
  command.description(
    'Call any operation of the service. Flags are the members of path, query and body; answers are JSON.',
  );
  addExamples(command, [
    ['colophon api create-article --title "On proofs" --content @essay.md', 'Create a draft'],
    [
      'colophon api list-articles --author USERNAME --all',
      'List everything, one JSON object per line',
    ],
    [
      'colophon api create-comment --id ARTICLE_ID --content "I agree." --dry-run',
      'Check without any effect',
    ],
    ['colophon api create-article --body @draft.json', 'Send all members as one JSON object'],
  ]);
  for (const operation of operationList) {
    const name = kebab(operation.name);
    const one = command.command(name).summary(operation.summary).description(operation.summary);
    one.helpGroup(`${operation.tag}:`);
    if (words.includes(name)) defineOperation(one, operation, open);
  }
}
