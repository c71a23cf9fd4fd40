// `colophon diff FILE`: what differs between a file and its article.
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { exits } from '../exit-codes.ts';
import { failure, misuse } from '../failures.ts';
import { toJson } from '../json.ts';
import { printable } from '../output/printable.ts';
import { isSameText, readManuscript } from '../publishing/manuscript.ts';
import type { Text } from '../publishing/manuscript.ts';
import { patchBetween } from '../publishing/patch.ts';
import { newestOf } from '../publishing/publish-file.ts';

function linesOf({ title, content, metadata }: Text): string {
  const details = Object.keys(metadata).length === 0 ? '' : `metadata: ${toJson(metadata)}\n`;
  return `title: ${title}\n${details}\n${content.replace(/(?<!\n)\n+$/, '')}\n`;
}

const colours = { '+': 'green', '-': 'red', '@': 'cyan' } as const;

function colourLine(line: string, { style }: Context['output']): string {
  const colour = colours[line[0] as keyof typeof colours];
  return colour === undefined ? printable(line) : style(colour, printable(line));
}

async function diff(context: Context, name: string): Promise<void> {
  const { id, text } = await readManuscript(context.terminal, name);
  if (id === undefined) throw misuse(`${name} is not an article yet.`, `colophon draft ${name}`);
  const { text: stored, revision_id } = await newestOf(await context.client(), id);
  const different = !isSameText(stored, text);
  const patch = different
    ? patchBetween({ name: revision_id, lines: linesOf(stored) }, { name, lines: linesOf(text) })
    : '';
  await context.output.answer({ id, revision_id, different, patch }, () =>
    different
      ? patch
          .trimEnd()
          .split('\n')
          .map((line) => colourLine(line, context.output))
      : ['They are the same.'],
  );
  if (different) throw failure('They differ.', undefined, exits.no);
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('<file>', 'a file that was published, stored as a draft or pulled')
    .action((name) => diff(open(), name));
  command.addHelpText('after', '\nThe exit code is 0 if they are the same and 3 if they differ.');
  addExamples(command, [
    ['colophon diff pulled.md', 'Compare a file with the newest revision of its article'],
  ]);
}
