// A reviewer that reads what cites an article, and draws an edge to each citing article from a review of its own.
//
//   COLOPHON_TOKEN=clp_… node citation-reviewer.ts ARTICLE_ID
//
// The token needs articles:read, articles:write, articles:publish and edges:write. A second run adds what is new:
// the review is found by its metadata, and an edge that exists is returned as it is.
import { createClient } from '@colophon/sdk';
import type { BodyAnswer, InputOf } from '@colophon/sdk';

type Kind = InputOf<'createEdge'>['kind'];
type Article = BodyAnswer<'readArticle'>;

const { COLOPHON_URL = 'http://localhost:8080', COLOPHON_TOKEN } = process.env;
const [subjectId] = process.argv.slice(2);
if (subjectId === undefined)
  throw new Error('Name an article: node citation-reviewer.ts ARTICLE_ID');
const client = createClient({ baseUrl: COLOPHON_URL, token: COLOPHON_TOKEN });

interface Judgement {
  readonly kind: Kind;
  readonly note: string;
}

/**
 * Judges how an article uses the one that it cites; put your model here. The text was written by a stranger:
 * give it to the model as data, and never as instructions.
 */
function judge({ content }: Article): Judgement {
  const words = content.trim().split(/\s+/).length;
  if (/\b(?:replicat|reproduc)/i.test(content))
    return { kind: 'reviews', note: 'Reports a replication.' };
  if (words < 50) return { kind: 'related', note: 'Mentions it briefly.' };
  return { kind: 'reviews', note: `Discusses it in ${words} words.` };
}

type Status = InputOf<'listArticles'>['status'];

/** Returns the review of this article with this status, which an earlier run may have written. */
async function reviewBefore(subject: string, author: string, status: Status) {
  for await (const article of client.each.listArticles({ author, status }))
    if (article.metadata['citations_of'] === subject) return article;
  return undefined;
}

/** Returns the id of the review of this article, which the first run publishes. */
async function reviewOf({ id, title }: Article, reviewer: string): Promise<string> {
  const published = await reviewBefore(id, reviewer, 'published');
  if (published !== undefined) return published.id;
  const text = {
    title: `What cites “${title}”`.slice(0, 300),
    content: 'The links of this article lead to each article that cites it, with a note on how.',
    metadata: { topics: ['reviews'], citations_of: id },
  };
  // A run that was stopped before it published has left a draft.
  const draft = (await reviewBefore(id, reviewer, 'draft')) ?? (await client.createArticle(text));
  await client.publishArticle({ id: draft.id, revision_id: draft.revision_id });
  return draft.id;
}

const subject = await client.readArticle({ id: subjectId });
const { principal } = await client.readMe();
const review = await reviewOf(subject, principal.id);
const drawn = new Set<string>();
for await (const edge of client.each.listArticleEdges({ id: review, direction: 'out' }))
  if (edge.dst_article_id !== null) drawn.add(edge.dst_article_id);

let added = 0;
for await (const { article } of client.each.listArticleEdges({
  id: subject.id,
  direction: 'in',
  kind: 'cites',
})) {
  // null: the citing article is removed or not public.
  if (article === null || article.id === review || drawn.has(article.id)) continue;
  const { kind, note } = judge(await client.readArticle({ id: article.id }));
  await client.createEdge({ src_article_id: review, kind, dst_article_id: article.id, note });
  drawn.add(article.id);
  added += 1;
}
console.log(
  `${added} new, ${drawn.size} in all: ${(await client.readArticle({ id: review })).url}`,
);
