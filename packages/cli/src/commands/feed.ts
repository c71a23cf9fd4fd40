// `colophon feed`: the newest articles.
import { disclosures, feedKinds } from '@colophon/contract';
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import { articleColumns, first } from '../output/columns.ts';
import { count, oneOf } from '../words.ts';

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .addOption(oneOf('--kind <kind>', 'which feed (default: latest)', feedKinds))
    .option('--author <name>', 'articles of this username or id')
    .option('--topic <topic>', 'articles with this topic')
    .option('--language <tag>', 'articles in this language')
    .addOption(oneOf('--disclosure <kind>', 'how the articles were written', disclosures))
    .option('--signed', 'signed articles only')
    .option('--limit <number>', 'how many', count, 20)
    .action(async ({ limit, ...filters }) => {
      const context = open();
      const client = await context.client();
      const articles = client.each.readFeed({ ...filters, limit: Math.min(limit, 100) });
      await context.output.list(first(articles, limit), articleColumns);
    });
  addExamples(command, [
    ['colophon feed', 'The newest articles'],
    ['colophon feed --kind following', 'Those of everyone you follow'],
    [
      'colophon feed --topic publishing --signed --json',
      'Signed ones on a topic, one JSON object per line',
    ],
  ]);
}
