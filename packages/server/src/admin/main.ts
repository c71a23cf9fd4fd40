// npm run admin -- COMMAND: what only the operator may do, beside a running server or alone.
import { hiderOfSecrets, readConfig } from '#config';
import { inspectDataDir } from '#database';
import { openLog, openServices, reachServices } from '#services';
import type { Services } from '#services';
import type { Command } from './command.ts';
import { doctor } from './doctor.ts';
import { grant } from './grant.ts';
import { legalRemoval } from './legal-removal.ts';
import { reindex } from './reindex.ts';
import { suspend } from './suspend.ts';
import { trust } from './trust.ts';
import { verifyAuditLog } from './verify-audit.ts';

const commands: Readonly<Record<string, Command>> = {
  grant,
  trust,
  suspend,
  'legal-removal': legalRemoval,
  'verify-audit': verifyAuditLog,
  reindex,
  doctor,
};

function usage(): string {
  const lines = Object.values(commands).map(
    ({ usage: form, summary }) => `  ${form.padEnd(28)} ${summary}`,
  );
  return ['npm run --silent admin -- COMMAND', '', ...lines, ''].join('\n');
}

/** The running server's database, or one started for the length of the command. */
async function services(command: Command): Promise<Services> {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const config = readConfig();
  const log = openLog('error');
  if (config.databaseUrl !== undefined) {
    const connection = { connectionString: config.databaseUrl };
    return command.looksOnly ? reachServices(config, log, connection) : openServices(config, log);
  }
  const { connection } = await inspectDataDir(config.dataDir);
  return connection === undefined
    ? openServices(config, log)
    : reachServices(config, log, connection);
}

async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    process.stderr.write(usage());
    return name === '' || name === 'help' ? 0 : 1;
  }
  await using open = await services(command);
  return await command.run(open, rest);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${hiderOfSecrets()((error as Error).message)}\n`);
  process.exitCode = 1;
}
