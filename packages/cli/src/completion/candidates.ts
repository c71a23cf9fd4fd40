// What can follow the words of a command line: commands, options and their values.
import type { Argument, Command, Option } from '@commander-js/extra-typings';
import { oneLine } from '../output/printable.ts';
import { listKeys } from '../profiles/keys.ts';
import { listProfiles } from '../profiles/profiles.ts';
import type { Terminal } from '../terminal.ts';

/** A line that asks the shell to complete names of files. */
const files = ':files';

type Env = Terminal['env'];
type Names = (env: Env) => Promise<readonly string[]>;

/** Options and arguments whose values are on this computer. */
const stored: Readonly<Record<string, Names>> = {
  profile: listProfiles,
  sign: listKeys,
};

interface Position {
  readonly command: Command;
  /** The option whose value comes next. */
  readonly option: Option | undefined;
  /** How many arguments the command has so far. */
  readonly count: number;
}

const optionsOf = (command: Command): readonly Option[] => [
  ...command.options,
  ...(command.parent === null ? [] : optionsOf(command.parent as unknown as Command)),
];

const takesValue = (option: Option | undefined) =>
  option !== undefined && (option.required || option.optional);

/** Returns where a word leads. */
function step(position: Position, word: string): Position {
  const { command, option, count } = position;
  if (word.startsWith('-') && word !== '-') {
    const found = optionsOf(command).find(({ long, short }) => word === long || word === short);
    return { command, option: takesValue(found) ? found : undefined, count };
  }
  if (option !== undefined) return { command, option: option.variadic ? option : undefined, count };
  const child = command.commands.find((one) => one.name() === word);
  if (child !== undefined) return { command: child as unknown as Command, option, count: 0 };
  return { command, option, count: count + 1 };
}

const candidateLine = (value: string, description = '') => `${value}\t${oneLine(description)}`;

async function values(
  place: Option | Argument,
  name: string,
  env: Env,
): Promise<readonly string[]> {
  const { argChoices } = place as { readonly argChoices?: readonly string[] };
  if (argChoices !== undefined) return argChoices.map((value) => candidateLine(value));
  const names = await stored[name]?.(env);
  if (names !== undefined) return names.map((value) => candidateLine(value));
  const shown = 'flags' in place ? (place as Option).flags : (place as Argument).name();
  return /file|folder/.test(shown) ? [files] : [];
}

function flags({ command }: Position, used: ReadonlySet<string>): readonly string[] {
  const own = optionsOf(command).filter(
    ({ long, variadic }) => long !== undefined && (variadic || !used.has(long)),
  );
  return [
    ...own.map(({ long = '', description }) => candidateLine(long, description)),
    candidateLine('--help', 'show help'),
  ];
}

async function operands({ command, count }: Position, env: Env): Promise<readonly string[]> {
  const children = command.commands.map((one) =>
    candidateLine(one.name(), one.summary() || one.description()),
  );
  const { registeredArguments } = command;
  const argument = registeredArguments[Math.min(count, registeredArguments.length - 1)];
  if (argument === undefined || (count >= registeredArguments.length && !argument.variadic))
    return children;
  return [...children, ...(await values(argument, argument.name(), env))];
}

/**
 * Returns the lines that complete the last word: a value, a tab and its description each, or `:files`.
 * @param words the words after `colophon`; the last one is the one to complete
 */
export async function candidates(
  program: Command,
  words: readonly string[],
  env: Env,
): Promise<readonly string[]> {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const start: Position = { command: program, option: undefined, count: 0 };
  const position = before.reduce(step, start);
  const { option } = position;
  const found =
    last.startsWith('-') && (option === undefined || option.variadic || option.optional)
      ? flags(position, new Set(before))
      : option === undefined
        ? await operands(position, env)
        : await values(option, option.long?.slice(2) ?? '', env);
  return found.filter((line) => line === files || line.startsWith(last));
}
