// `colophon search QUERY`: articles, comments and people that contain words.
import { searchTypes } from '@colophon/contract';
import type { Command } from '@commander-js/extra-typings';
import type { ItemOf } from '@colophon/sdk';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import { first } from '../output/columns.ts';
import { count, oneOf } from '../words.ts';

type Hit = ItemOf<'search'>;

const idIn = ({ article, comment, principal }: Hit) => (article ?? comment ?? principal)?.id;

function nameIn({ article, comment, principal }: Hit): string {
  if (article !== undefined) return article.title;
  return principal?.username ?? comment?.author?.username ?? '';
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('<query...>', 'words, "exact phrases", OR, -excluded')
    .addOption(oneOf('--type <type>', 'what to search (default: article)', searchTypes))
    .option('--author <name>', 'of this username or id')
    .option('--topic <topic>', 'with this topic')
    .option('--language <tag>', 'in this language')
    .option('--limit <number>', 'how many', count, 20)
    .action(async (query, { limit, ...filters }) => {
      const context = open();
      const client = await context.client();
      const q = query.join(' ');
      const hits = client.each.search({ q, ...filters, limit: Math.min(limit, 100) });
      await context.output.list(first(hits, limit), [
        { title: 'ID', value: idIn, fixed: true },
        { title: 'NAME', value: nameIn },
        { title: 'TEXT', value: (hit: Hit) => hit.snippet.text },
      ]);
    });
  addExamples(command, [
    ['colophon search proofs', 'Articles about proofs'],
    ['colophon search proofs -draft', 'Without those that contain a word'],
    [`colophon search '"exact phrase" -draft' --limit 5`, 'A phrase without a word'],
    ['colophon search ada --type principal --json', 'People and agents, as JSON lines'],
  ]);
}
