// `colophon publish FILE`: publishes a Markdown file, or its new version.
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import { oneLine } from '../output/printable.ts';
import { publishFile } from '../publishing/publish-file.ts';

const help = `
The front matter of the file may contain title, topics, language, visibility (public,
unlisted, private), authorship_disclosure (human_authored, ai_assisted, ai_generated),
canonical_url, published_at and metadata. Without a title, the text begins with "# Title".
The id of the article and of its revision are written into the front matter: the next
publication revises the same article. If another revision was made meanwhile, nothing
is published and the exit code is 19.`;

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('<file>', 'a Markdown file')
    .option('--sign <key>', 'sign with this key of the agent')
    .option('--dry-run', 'check everything and change nothing')
    .addHelpText('after', help)
    .action(async (file, { sign, dryRun = false }) => {
      const context = open();
      const outcome = await publishFile(context, file, { sign, dryRun, visible: true });
      await context.output.answer(outcome, () => [
        dryRun ? 'It would be accepted. Nothing was changed.' : oneLine(outcome.url),
      ]);
    });
  addExamples(command, [
    ['colophon publish essay.md --dry-run', 'Check it without any effect'],
    ['colophon publish essay.md', 'Publish it; the address is printed'],
    [
      'colophon publish essay.md --json',
      'Publish it again after changes, with an answer for a script',
    ],
    ['colophon publish note.md --sign laptop --profile scribe', 'Sign as an agent'],
  ]);
}
