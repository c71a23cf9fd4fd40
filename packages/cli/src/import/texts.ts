// The texts of an article as they are sent: with the mark of their origin, and within the limits of the service.
import { limits } from '@colophon/contract';
import { markedMetadata } from './origin.ts';
import { refusal } from './source.ts';
import type { AddressOf, SourceArticle, SourceRevision, Text, UrlOf } from './source.ts';

const encoder = new TextEncoder();

/** Returns why the service would refuse a text; undefined for a text within the limits. */
function textFault({ title, content }: Text): string | undefined {
  const length = [...title].length;
  if (length === 0) return 'Its title is empty.';
  if (length > limits.title_max)
    return `Its title has ${length} characters; the service accepts at most ${limits.title_max}.`;
  const size = encoder.encode(content).length;
  if (size === 0) return 'Its text is empty.';
  if (size > limits.content_bytes_max)
    return `Its text has ${size} bytes; the service accepts at most ${limits.content_bytes_max}.`;
  return undefined;
}

function markedText(
  article: SourceArticle,
  revision: SourceRevision,
  index: number,
  isUnlinked = false,
): { readonly text: Text; readonly note: string | undefined } {
  const { metadata, leftOut } = markedMetadata(article.key, index + 1, revision, isUnlinked);
  if (metadata === undefined)
    throw refusal('Its metadata is too large: there is no room for the mark of its origin.');
  const { title, content } = revision;
  const fault = textFault({ title, content, metadata });
  if (fault !== undefined) throw refusal(fault);
  const note =
    leftOut.length === 0
      ? undefined
      : `Its metadata has no room for ${leftOut.join(', ')} of its origin (text ${index + 1}).`;
  return { text: { title, content, metadata }, note };
}

export interface FittedTexts {
  readonly texts: readonly [Text, ...Text[]];
  /** Sentences about parts of the origin that have no room. */
  readonly notes: readonly string[];
}

/** @throws a refusal for a text that the service would not accept */
export async function fittedTexts(
  article: SourceArticle,
  urlOf: UrlOf,
  addressOf?: AddressOf,
): Promise<FittedTexts> {
  const revisions = await article.revisions(urlOf, addressOf);
  const marked = revisions.map((revision, index) => markedText(article, revision, index));
  const [first, ...others] = marked.map(({ text }) => text);
  if (first === undefined) throw refusal('It has no text.');
  return { texts: [first, ...others], notes: marked.flatMap(({ note }) => note ?? []) };
}

/** Returns the first text as it is at the origin, without new links. @throws a refusal, as fittedTexts does */
export async function unlinkedText(article: SourceArticle): Promise<Text> {
  const [first] = await article.revisions(() => undefined);
  if (first === undefined) throw refusal('It has no text.');
  return markedText(article, first, 0, true).text;
}
