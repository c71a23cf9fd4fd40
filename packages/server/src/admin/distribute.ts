// distribute: turns the tables of a migrated database into distributed tables of a Citus cluster.
import { parseArgs } from 'node:util';
import { connectionTo, distribute as distributeTables } from '#database';
import type { StandaloneCommand } from './command.ts';
import { makeProgress } from './progress.ts';

const shardsMax = 1_024;

function shardsOf(text: string): number {
  const shards = Number(text);
  if (!/^\d+$/.test(text) || shards < 1 || shards > shardsMax)
    throw new Error(`Name a number of shards from 1 to ${shardsMax}: distribute --shards 32`);
  return shards;
}

export const distribute: StandaloneCommand = async ({ config, args, stdout, stderr }) => {
  const { values } = parseArgs({
    args: [...args],
    options: { shards: { type: 'string', default: '32' } },
  });
  const shards = shardsOf(values.shards);
  if (config.databaseUrl === undefined)
    throw new Error(
      'The embedded database cannot be distributed: set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  const connection = await connectionTo(config.databaseUrl);
  using progress = makeProgress(stderr);
  let begun = false;
  const result = await distributeTables(connection, shards, () => {
    // Not earlier: a refusal is one sentence.
    if (!begun) progress.begin('tables', undefined, 0);
    begun = true;
    progress.add();
  });
  progress.end();
  const state = `${result.tables} tables by bucket in ${result.shards} shards, ${result.foreignKeys} foreign keys`;
  stdout.write(
    result.distributed === 0
      ? `The database is already distributed: ${state}.\n`
      : `Distributed ${result.distributed} tables. The database has ${state}.\n`,
  );
  return 0;
};
