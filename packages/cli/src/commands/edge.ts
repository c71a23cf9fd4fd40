// `colophon edge ARTICLE KIND TARGET`: links one of your articles to another article or address.
import { edgeKinds } from '@colophon/contract';
import { Argument } from '@commander-js/extra-typings';
import type { Command } from '@commander-js/extra-typings';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { articleId, idOf } from '../targets.ts';

type Kind = (typeof edgeKinds)[number];

/** An id, or the URL of an article of the same service, is an article; anything else an address. */
async function targetOf(context: Context, word: string) {
  if (!word.includes(':')) return { dst_article_id: idOf(word, 'an article') };
  const id = await articleId(context, word).catch(() => undefined);
  return id === undefined ? { dst_uri: word } : { dst_article_id: id };
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('<article>', 'your article: its id or URL')
    .addArgument(new Argument('<kind>', 'what the link says').choices(edgeKinds))
    .argument('<target>', 'an article, or any address: https, doi, urn, …')
    .option('--note <text>', 'a remark on the link')
    .option('--via <comment>', 'the comment that the link comes from')
    .option('--dry-run', 'check everything and change nothing')
    .action(async (word, kind, target, { note, via, dryRun: dry_run }) => {
      const context = open();
      const src_article_id = await articleId(context, word);
      const end = await targetOf(context, target);
      const client = await context.client();
      const edge = await client.createEdge(
        { src_article_id, kind: kind as Kind, ...end, note, via_comment_id: via, dry_run },
        { idempotencyKey: context.key() },
      );
      await context.output.answer(edge, () => [dry_run ? 'It would be accepted.' : edge.id]);
    });
  addExamples(command, [
    ['colophon edge ARTICLE_ID cites OTHER_ARTICLE_ID', 'Say that your article cites another one'],
    [
      'colophon edge ARTICLE_ID uses_data doi:10.1000/182 --note "Table 2"',
      'Link to a source elsewhere',
    ],
  ]);
}
