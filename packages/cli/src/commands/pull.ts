// `colophon pull ARTICLE [FILE]`: writes an article into a Markdown file, or brings a file up to date.
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Command } from '@commander-js/extra-typings';
import type { Client } from '@colophon/sdk';
import { addExamples } from '../command.ts';
import type { Open } from '../command.ts';
import type { Context } from '../context.ts';
import { failure, misuse } from '../failures.ts';
import { cannotWrite } from '../files.ts';
import { oneLine } from '../output/printable.ts';
import { joinFile, readValues, setValues, splitFile } from '../publishing/front-matter.ts';
import type { Parts, Values } from '../publishing/front-matter.ts';
import { isSameText, readManuscript, rewrite, valuesOf } from '../publishing/manuscript.ts';
import type { Manuscript, Text } from '../publishing/manuscript.ts';
import { newestOf } from '../publishing/publish-file.ts';
import { createFile } from '../profiles/private-file.ts';
import { articleId } from '../targets.ts';

interface Words {
  readonly force?: true | undefined;
}

const isArticle = (word: string) => /^https?:|^[0-9A-HJKMNP-TV-Z]{26}$/i.test(word);

/** Like the slug in the address of the article. */
function fileNameFor(title: string): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    // In other scripts marks are part of the letter.
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC');
  const words = (plain.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []).join('-');
  const cut = [...words].slice(0, 60).join('').replace(/-$/, '');
  return `${cut || 'article'}.md`;
}

const withBody = (parts: Parts, { content }: Text): string => {
  const body = `${parts.newline}${content.replaceAll('\n', parts.newline)}${parts.newline}`;
  return joinFile({ ...parts, body: content.endsWith('\n') ? body.slice(0, -1) : body });
};

/** Only values that differ are written, so that the rest of the front matter keeps its form. */
function different(parts: Parts, values: Values, name: string): Values {
  const own = readValues(parts.yaml, name);
  return Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => JSON.stringify(own[key]) !== JSON.stringify(value),
    ),
  );
}

async function pullNew(context: Context, word: string, named: string | undefined): Promise<void> {
  const client = await context.client();
  const { article, text, revision_id } = await newestOf(client, await articleId(context, word));
  const name = named ?? fileNameFor(text.title);
  const empty = splitFile('');
  const parts = setValues(empty, valuesOf(article, { ...text, revision_id }), name);
  const file = resolve(context.terminal.folder, name);
  // In one step: a part of the text, with the id of the article, would be published in place of the whole.
  await createFile(file, withBody(parts, text), 0o666).catch((error: unknown) => {
    if ((error as { readonly code?: string }).code !== 'EEXIST') throw cannotWrite(name, error);
    throw misuse(`${name} exists.`, 'Name another file, or remove it first.');
  });
  await context.output.answer({ id: article.id, revision_id, file: name }, () => [oneLine(name)]);
}

/** @throws Failure when the file has changes that the service does not have */
async function checkUnchanged(client: Client, manuscript: Manuscript, id: string): Promise<void> {
  const { name, revision_id, text } = manuscript;
  if (revision_id !== undefined) {
    const { title, content, metadata } = await client.readRevision({ id, revision_id });
    if (isSameText({ title, content: content ?? '', metadata }, text)) return;
  }
  throw failure(
    `${name} has changes that are not on the service.`,
    `See them with \`colophon diff ${name}\`. --force discards them.`,
  );
}

/** @throws Failure when the file was changed while the article was read: replacing it would lose that */
async function checkUntouched({ terminal }: Context, { name, parts }: Manuscript): Promise<void> {
  if (isDeepStrictEqual((await readManuscript(terminal, name)).parts, parts)) return;
  throw failure(
    `${name} was changed meanwhile, and is left as it is.`,
    'Run the same command again.',
  );
}

async function pullAgain(context: Context, name: string, { force }: Words): Promise<void> {
  const manuscript = await readManuscript(context.terminal, name);
  const { id, parts } = manuscript;
  if (id === undefined) throw misuse(`${name} is not an article yet.`, `colophon draft ${name}`);
  const client = await context.client();
  const { article, text, revision_id } = await newestOf(client, id);
  if (!force && !isSameText(text, manuscript.text)) await checkUnchanged(client, manuscript, id);
  const { title, ...rest } = valuesOf(article, { ...text, revision_id });
  const { hasHeading } = manuscript;
  const values = different(parts, hasHeading ? rest : { title, ...rest }, name);
  const content = hasHeading ? `# ${text.title}\n\n${text.content}` : text.content;
  const changed = withBody(setValues(parts, values, name), { ...text, content });
  await checkUntouched(context, manuscript);
  await rewrite(context.terminal, name, changed);
  await context.output.answer({ id, revision_id, file: name }, () => [oneLine(name)]);
}

/** Adds the command. */
export function define(command: Command, open: Open): void {
  command
    .argument('<article>', 'its id or URL, or a file that has its id')
    .argument('[file]', 'where to write it (default: a name made from the title)')
    .option('--force', 'discard changes in the file')
    .action((word, file, words) =>
      isArticle(word) ? pullNew(open(), word, file) : pullAgain(open(), word, words),
    );
  addExamples(command, [
    ['colophon pull ARTICLE_ID pulled.md', 'Write an article into a file'],
    ['colophon pull pulled.md', 'Bring the file up to date'],
  ]);
}
