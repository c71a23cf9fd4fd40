// The tasks of the parser thread: texts of strangers in, plain data out.
import { readYamlMembers } from '../formats/front-matter.ts';
import { readMarkdown } from '../formats/markdown-text.ts';
import { readHtml, writeHtml } from '../formats/html.ts';

export const tasks = { readMarkdown, readHtml, writeHtml, readYamlMembers };

export type TaskName = keyof typeof tasks;
export type Input<Name extends TaskName> = Parameters<(typeof tasks)[Name]>[0];
export type Output<Name extends TaskName> = ReturnType<(typeof tasks)[Name]>;

export interface Request {
  readonly name: TaskName;
  readonly input: unknown;
}

export type Response = { readonly output: unknown } | { readonly refused: string };
