// verify FILE: reads a backup from its first to its last byte and prints what is in it.
import { parseArgs } from 'node:util';
import { archiveIn, readArchive } from '#backup';
import { contentsOf, openBackup, warnings } from './backup-report.ts';
import { requireAtMost } from './command.ts';
import type { StandaloneCommand } from './command.ts';
import { makeProgress } from './progress.ts';

export const verify: StandaloneCommand = async ({ config, args, stdout, stderr }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { identity: { type: 'string' } },
    allowPositionals: true,
  });
  requireAtMost(1, positionals, 'verify');
  await using file = await openBackup(positionals[0], config);
  using progress = makeProgress(stderr);
  let filesBegun = false;
  let files = 0;
  const { header, manifest } = await readArchive(await archiveIn(file.bytes, values.identity), {
    header: async ({ expected }) => {
      progress.begin('rows', expected.rows || undefined, 0);
      files = expected.files;
    },
    rows: async (_table, _rows, count) => progress.add(count),
    file: async (_name, _size, chunks) => {
      if (!filesBegun) progress.begin('files', files, 0);
      filesBegun = true;
      for await (const _chunk of chunks);
      progress.add();
    },
    erasures: async () => undefined,
  });
  progress.end();
  stdout.write(
    `The backup is whole: ${contentsOf(manifest)}.\n` +
      `Taken at ${header.taken_at} from ${header.base_url}, PostgreSQL ${header.engine}, migration ${header.migrations.at(-1)}.\n`,
  );
  stderr.write(warnings(manifest));
  return 0;
};
