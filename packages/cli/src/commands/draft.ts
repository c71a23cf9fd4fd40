// `colophon draft FILE`: stores a Markdown file as a draft, without publishing it.
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import { publishFile } from '../publishing/publish-file.ts';

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('<file>', 'a Markdown file')
    .option('--dry-run', 'check everything and change nothing')
    .action(async (file, { dryRun = false }) => {
      const context = open();
      const outcome = await publishFile(context, file, { dryRun, visible: false });
      const { id, revision_id, unchanged } = outcome;
      await context.output.answer(outcome, () => [
        dryRun ? 'It would be accepted. Nothing was changed.' : `${id} ${revision_id}`,
        ...(unchanged ? ['The service already has this text.'] : []),
      ]);
    });
  addExamples(command, [
    ['colophon draft essay.md', 'Store a draft; readers do not see it'],
    ['colophon publish essay.md', 'Publish it later'],
  ]);
}
