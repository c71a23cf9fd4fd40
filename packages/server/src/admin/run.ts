// Runs an operator command. Loads only what that command needs: the help text needs nothing.
import { descriptions } from './command.ts';
import type { Command, CommandName, StandaloneCommand, Writer } from './command.ts';
import type { Config } from '#config';
import type { Services } from '#services';

export interface CommandEnvironment {
  /** Settings that override the environment of the process. */
  readonly settings: Readonly<Record<string, string>>;
  readonly stdout: Writer;
  readonly stderr: Writer;
}

const standalone = {
  verify: async () => (await import('./verify.ts')).verify,
  restore: async () => (await import('./restore.ts')).restore,
  distribute: async () => (await import('./distribute.ts')).distribute,
} satisfies Partial<Record<CommandName, () => Promise<StandaloneCommand>>>;

type Standalone = keyof typeof standalone;

const commands: Readonly<Record<Exclude<CommandName, Standalone>, () => Promise<Command>>> = {
  grant: async () => (await import('./grant.ts')).grant,
  trust: async () => (await import('./trust.ts')).trust,
  suspend: async () => (await import('./suspend.ts')).suspend,
  'legal-removal': async () => (await import('./legal-removal.ts')).legalRemoval,
  'verify-audit': async () => (await import('./verify-audit.ts')).verifyAuditLog,
  reindex: async () => (await import('./reindex.ts')).reindex,
  log: async () => (await import('./log.ts')).log,
  backup: async () => (await import('./backup.ts')).backup,
  doctor: async () => (await import('./doctor.ts')).doctor,
};

function isStandalone(name: CommandName): name is Standalone {
  return Object.hasOwn(standalone, name);
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(descriptions, name);
}

const helpWords: ReadonlySet<unknown> = new Set(['help', '--help', '-h']);

const aboutAll = 'docs/running.md describes the commands, and says which settings they need.';

/** A command and its summary have lines of their own: the longest command would leave no room for columns. */
function helpOf(names: readonly CommandName[]): string {
  const entries = names.map((name) => {
    const { usage, summary } = descriptions[name];
    return `  ${usage}\n      ${summary.join('\n      ')}\n`;
  });
  return ['npm run --silent admin -- COMMAND\n', ...entries, `${aboutAll}\n`].join('\n');
}

const help = () => helpOf(Object.keys(descriptions) as CommandName[]);

/** Returns the help that is asked for: of all commands, or of the one before or after the word. */
function helpAskedBy([name, ...args]: readonly string[]): string | undefined {
  if (name === undefined || name === '') return help();
  if (helpWords.has(name)) {
    const [of = ''] = args;
    return isCommand(of) ? helpOf([of]) : help();
  }
  const isAsked = args.some((one) => one === '--help' || one === '-h');
  return isCommand(name) && isAsked ? helpOf([name]) : undefined;
}

/** The parser of options says how to name a file like an option, and not which options there are. */
function refusalOf(error: Error & { readonly code?: unknown }, name: CommandName): string {
  if (!String(error.code).startsWith('ERR_PARSE_ARGS')) return error.message;
  const [first = ''] = error.message.split(/\.? To specify /);
  return `${first.replace(/\.$/, '')}: ${descriptions[name].usage}`;
}

/** Opens the running server's database, or starts one for the duration of the command. */
async function openFor(name: CommandName, config: Config): Promise<Services> {
  const { openLog, openServices, reachServices } = await import('#services');
  const log = openLog('error');
  if (config.databaseUrl !== undefined) {
    const { connectionTo } = await import('#database');
    const connection = await connectionTo(config.databaseUrl);
    return descriptions[name].looksOnly
      ? reachServices(config, log, connection)
      : openServices(config, log);
  }
  const { inspectDataDir } = await import('#database');
  const { state, connection } = await inspectDataDir(config.dataDir);
  if (state === 'absent' && descriptions[name].needsDatabase)
    throw new Error(
      `There is no database in ${config.dataDir}. Set DATA_DIR or DATABASE_URL as for the server.`,
    );
  return connection === undefined
    ? openServices(config, log)
    : reachServices(config, log, connection);
}

/** Runs the command that `args` name and returns its exit code; a failure is one sentence on `stderr`. */
export async function runAdmin(
  words: readonly string[],
  { settings, stdout, stderr }: CommandEnvironment,
): Promise<number> {
  // Before anything is opened: to ask what a command does must not create a database.
  const asked = helpAskedBy(words);
  if (asked !== undefined) {
    stdout.write(asked);
    return 0;
  }
  const [name = '', ...args] = words;
  if (!isCommand(name)) {
    stderr.write(`There is no command ${name}.\n\n${help()}`);
    return 1;
  }
  try {
    const { readConfig } = await import('#config');
    const config = readConfig(settings);
    if (isStandalone(name)) {
      const run = await standalone[name]();
      return await run({ config, args, stdout, stderr });
    }
    const command = await commands[name]();
    const run = await command(args, config);
    await using services = await openFor(name, config);
    return await run({ services, stdout, stderr });
  } catch (error) {
    const { hiderOfSecrets } = await import('#config');
    stderr.write(`${hiderOfSecrets()(refusalOf(error as Error, name))}\n`);
    return 1;
  }
}
