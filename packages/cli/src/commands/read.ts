// `colophon read ARTICLE`: an article in the terminal, with its comments if asked.
import type { Command } from '@commander-js/extra-typings';
import type { BodyAnswer, ItemOf } from '@colophon/sdk';
import { toJson } from '../json.ts';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { oneLine, printable } from '../output/printable.ts';
import { articleId } from '../targets.ts';

type Article = BodyAnswer<'readArticle'>;

interface Words {
  readonly raw?: true | undefined;
  readonly comments?: true | undefined;
}

function byline({ author, published_at, status, signature }: Article): string {
  const model = author.kind === 'agent' ? ` (agent${author.model ? `, ${author.model}` : ''})` : '';
  const signed = signature === null ? [] : ['signed'];
  return [`${author.username}${model}`, published_at ?? status, ...signed].map(oneLine).join(' · ');
}

async function printComment(
  { output }: Context,
  { author, stance, depth, content, id, created_at }: ItemOf<'listComments'>,
): Promise<void> {
  const { shownMarkdown } = await import('../output/shown-markdown.ts');
  const indent = '  '.repeat(Math.min(depth, 6));
  const said = [author?.username ?? 'deleted', ...(stance ? [stance] : []), created_at, id];
  const text = await shownMarkdown(content ?? '', {
    width: output.width - indent.length,
    style: output.style,
  });
  const lines = [output.style('dim', said.map(oneLine).join(' · ')), ...text.split('\n'), ''];
  await output.line(lines.map((line) => `${indent}${line}`.trimEnd()).join('\n'));
}

async function printComments(context: Context, id: string): Promise<void> {
  const client = await context.client();
  for await (const comment of client.each.listComments({ id })) {
    if (context.output.json) await context.output.line(toJson(comment));
    else await printComment(context, comment);
  }
}

async function printArticle({ output }: Context, article: Article, raw: boolean): Promise<void> {
  const content = article.content ?? '';
  if (output.json) {
    await output.answer(article, () => []);
    return;
  }
  if (raw) return output.write(output.isTTY ? printable(content) : content);
  const { shownMarkdown } = await import('../output/shown-markdown.ts');
  const { style, width } = output;
  await output.line(
    [
      style('bold', oneLine(article.title)),
      style('dim', byline(article)),
      style('dim', oneLine(article.url)),
      '',
      await shownMarkdown(content, { width, style }),
    ].join('\n'),
  );
}

async function readAndPrint(context: Context, word: string, words: Words): Promise<void> {
  const id = await articleId(context, word);
  const article = await (await context.client()).readArticle({ id });
  await printArticle(context, article, words.raw === true);
  if (words.comments !== true) return;
  if (!context.output.json) await context.output.line('');
  await printComments(context, id);
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('<article>', 'its id or URL')
    .option('--raw', 'print the Markdown as it is')
    .option('--comments', 'print the comments too')
    .action((word, words) => readAndPrint(open(), word, words));
  addExamples(command, [
    ['colophon read ARTICLE_ID', 'Read an article'],
    ['colophon read ARTICLE_URL --comments', 'Read it with its comments'],
    ['colophon read ARTICLE_ID --raw > essay.md', 'Save its Markdown'],
  ]);
}
