// The program: parses the arguments, loads the command that they name, and returns the exit code.
import { Command, CommanderError, InvalidArgumentError } from '@commander-js/extra-typings';
import { commandList } from './command-list.ts';
import { openContext } from './context.ts';
import type { GlobalOptions } from './context.ts';
import { exits, exitTable } from './exit-codes.ts';
import { misuse, reportFailure } from './failures.ts';
import { newInvocation } from './invocation.ts';
import type { Invocation } from './invocation.ts';
import { ReaderEnded } from './output/output.ts';
import { styleOf } from './output/style.ts';
import { withQueryLast } from './query-words.ts';
import { columnsOf } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';
import { requireWhole } from './whole-words.ts';

const examples = `
Examples:
  $ colophon signup ada --url https://colophon.example
  $ colophon publish essay.md
  $ colophon feed --json | head -n 3

\`colophon COMMAND --help\` shows examples of each command.

Environment:
  COLOPHON_URL, COLOPHON_TOKEN   the service and a token, in place of a profile
  COLOPHON_PROFILE               the profile to use
  NO_COLOR                       no colours
`;

function exitText(): string {
  const lines = exitTable().map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`);
  return ['', 'Exit codes:', ...lines].join('\n');
}

function attempts(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

function seconds(text: string): number {
  if (/^\d{1,5}(?:\.\d{1,3})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number of seconds.');
}

function idempotencyKey(text: string): string {
  if (/^[\x21-\x7e]{8,200}$/.test(text)) return text;
  throw new InvalidArgumentError('It must have 8 to 200 visible ASCII characters.');
}

/** Whether failures are printed as JSON. The parser may fail before it has read the option. */
function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? words.length : end).includes('--json');
}

function emptyProgram(terminal: Terminal, json: boolean): Command {
  const { output, errors } = terminal;
  const style = styleOf(terminal, 'output');
  const program = new Command('colophon')
    .description('Publish, read and answer on Colophon, an open publishing network.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => output.write(text),
      writeErr: (text) => json || errors.write(text),
      getOutHelpWidth: () => columnsOf(terminal),
      getOutHasColors: () => true,
      outputError: (text, write) =>
        write(
          text.replace(
            /^error: (?:command-argument )?/,
            `${styleOf(terminal, 'errors')('red', 'colophon:')} `,
          ),
        ),
    })
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (text) => style('bold', text),
      styleCommandText: (text) => style('cyan', text),
      styleOptionText: (text) => style('cyan', text),
    });
  return program as unknown as Command;
}

function addGlobalOptions(program: Command): void {
  program
    .option('--profile <name>', 'use this profile')
    .option('--url <url>', 'use this service')
    .option('--json', 'print JSON; lists as one JSON object per line')
    .option(
      '--idempotency-key <key>',
      'repeat a command with its key: it takes effect once',
      idempotencyKey,
    )
    .option('--attempts <number>', 'requests per call, with retries (default: 4)', attempts)
    .option(
      '--timeout <seconds>',
      'limit of one request, 0 for none (default: 60; 600 for files)',
      seconds,
    )
    .addHelpText('after', examples + exitText());
}

/** Options of the program that take a value: the word after them is not a command. */
function commandIn(program: Command, words: readonly string[]): string | undefined {
  const valued = new Set(
    program.options.filter(({ required }) => required).map(({ long }) => long),
  );
  return words.find((word, at) => !word.startsWith('-') && !valued.has(words[at - 1]));
}

/** Adds all commands with their summaries; arguments and options only of the one that is named. */
async function addCommands(
  program: Command,
  words: readonly string[],
  terminal: Terminal,
  invocation: Invocation,
): Promise<void> {
  const named = commandIn(program, words);
  const open = () => openContext(terminal, program.opts() as GlobalOptions, invocation);
  for (const { name, summary, group, load } of commandList) {
    const command = program.command(name).summary(summary).description(`${summary}.`);
    command.helpGroup(group);
    if (named === name) (await load()).define(command, open, words);
  }
}

/** The scripts of shells ask with `colophon complete -- WORDS`. */
async function complete(program: Command, words: readonly string[], { env, output }: Terminal) {
  const { candidates } = await import('./completion/candidates.ts');
  for (const line of await candidates(program, words, env)) output.write(`${line}\n`);
}

const freeTexts: ReadonlySet<string> = new Set(['text', 'query']);
const hyphenHint = 'Put `--` before a text that begins with a hyphen.';
const files: ReadonlySet<string> = new Set(['file', 'path']);
const fileHint = 'Put `--` before the name of a file that begins with a hyphen.';
/** No option looks like this: `-dash.md`, `--my file`. */
const likeFile = /unknown option '(?:-[^-'\n]{2,}|[^'\n]*[./ ][^\n]*)'/;

function namedCommand(program: Command, words: readonly string[]): Command | undefined {
  const named = commandIn(program, words);
  return program.commands.find((one) => one.name() === named) as Command | undefined;
}

function takes(command: Command | undefined, names: ReadonlySet<string>): boolean {
  return command?.registeredArguments.some((one) => names.has(one.name())) === true;
}

/** Returns the words that name a command with its own command, such as `token issue`: its options are in its help. */
function pathOf(program: Command, command: Command, words: readonly string[]): string {
  const inside = commandIn(program, words.slice(words.indexOf(command.name()) + 1));
  const own = command.commands.find((one) => one.name() === inside);
  return own === undefined ? command.name() : `${command.name()} ${own.name()}`;
}

/** Returns what to do about a refusal. An unknown option of a command that takes a text or a file may be that. */
function nextAfter(error: CommanderError, program: Command, words: readonly string[]): string {
  const command = namedCommand(program, words);
  const isOption = error.code === 'commander.unknownOption';
  if (isOption && takes(command, freeTexts)) return hyphenHint;
  if (isOption && takes(command, files) && likeFile.test(error.message)) return fileHint;
  if (command === undefined) return '`colophon --help` lists the commands and options.';
  return `\`colophon ${pathOf(program, command, words)} --help\` shows what it takes.`;
}

/**
 * Refuses a text such as `-Very good` and a file such as `-help.md`: the parser takes their first letters for `-V` and
 * `-h`, and would print the version or the help in place of doing the work.
 */
function refuseGluedLetters(program: Command, words: readonly string[]): void {
  const command = namedCommand(program, words);
  if (!takes(command, freeTexts) && !takes(command, files)) return;
  const options = [...program.options, ...(command?.options ?? [])];
  const valued = new Set(options.filter(({ required }) => required).map(({ long }) => long));
  const end = words.indexOf('--');
  const glued = words
    .slice(0, end === -1 ? words.length : end)
    .find((word, at) => /^-[hV]./s.test(word) && !valued.has(words[at - 1]));
  if (glued === undefined) return;
  program.error(`error: unknown option '${glued}'`, { code: 'commander.unknownOption' });
}

/** Returns a refusal of the parser, which has printed its text, as a failure with the same text. */
function failureOf({ code, message }: CommanderError, next: string) {
  if (code === 'commander.help') return misuse('The name of a command is missing.', next);
  return misuse(message.replace(/^error: /, ''), next);
}

/** Returns `help COMMAND` as `COMMAND --help`. A name that is not a command stays, and is refused. */
function withoutHelpWord(program: Command, words: readonly string[]): readonly string[] {
  if (commandIn(program, words) !== 'help') return words;
  const rest = words.toSpliced(words.indexOf('help'), 1);
  const named = commandIn(program, rest);
  const isCommand = named === undefined || commandList.some(({ name }) => name === named);
  return isCommand ? [...rest, '--help'] : rest;
}

async function run(
  program: Command,
  words: readonly string[],
  terminal: Terminal,
  invocation: Invocation,
): Promise<void> {
  const asked = words[0] === 'complete' ? words.slice(words[1] === '--' ? 2 : 1) : undefined;
  await addCommands(program, asked ?? words, terminal, invocation);
  if (asked !== undefined) return complete(program, asked, terminal);
  requireWhole(words);
  const isSearch = commandIn(program, words) === 'search';
  if (!isSearch) refuseGluedLetters(program, words);
  const parsed = isSearch ? withQueryLast(program, 'search', words) : words;
  await program.parseAsync(words.length === 0 ? ['--help'] : parsed, { from: 'user' });
}

/** Runs the program with its arguments and returns the exit code. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  const json = asksForJson(words);
  const program = emptyProgram(terminal, json);
  const invocation = newInvocation();
  addGlobalOptions(program);
  try {
    await run(program, withoutHelpWord(program, words), terminal, invocation);
    return exits.done;
  } catch (error) {
    if (error instanceof ReaderEnded) return exits.done;
    if (!(error instanceof CommanderError)) return reportFailure(error, terminal, json, invocation);
    // Help that was asked for is a success; anything else that the parser throws is misuse.
    if (error.exitCode === 0) return exits.done;
    const next = nextAfter(error, program, words);
    if (json) return reportFailure(failureOf(error, next), terminal, json, invocation);
    // Without the name of a command, the parser has printed the help.
    if (error.code !== 'commander.help') terminal.errors.write(`Next: ${next}\n`);
    return exits.usage;
  }
}
