// Runs an operator command. Loads only what that command needs: the help text needs nothing.
import { descriptions } from './command.ts';
import type { Command, CommandName, StandaloneCommand, Writer } from './command.ts';
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

function help(): string {
  const lines = Object.values(descriptions).map(
    ({ usage, summary }) => `  ${usage.padEnd(28)} ${summary}`,
  );
  return ['npm run --silent admin -- COMMAND', '', ...lines, ''].join('\n');
}

/** Opens the running server's database, or starts one for the duration of the command. */
async function openFor(
  name: CommandName,
  settings: CommandEnvironment['settings'],
): Promise<Services> {
  const { readConfig } = await import('#config');
  const config = readConfig(settings);
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
  [name = '', ...args]: readonly string[],
  { settings, stdout, stderr }: CommandEnvironment,
): Promise<number> {
  if (!isCommand(name)) {
    const isAsked = ['', 'help', '--help', '-h'].includes(name);
    stderr.write(isAsked ? help() : `There is no command ${name}.\n\n${help()}`);
    return isAsked ? 0 : 1;
  }
  try {
    if (isStandalone(name)) {
      const { readConfig } = await import('#config');
      const run = await standalone[name]();
      return await run({ config: readConfig(settings), args, stdout, stderr });
    }
    const run = await commands[name]();
    await using services = await openFor(name, settings);
    return await run({ services, args, stdout, stderr });
  } catch (error) {
    const { hiderOfSecrets } = await import('#config');
    stderr.write(`${hiderOfSecrets()((error as Error).message)}\n`);
    return 1;
  }
}
