// GET /v1/articles/{id}/graph, 1 to 3 steps into a dense neighbourhood, against reading one article.
import { markdownOf, post, publishArticle, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { alternate, roundToThree, show } from './parts/figures.ts';
import { runLoad } from './parts/load.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 2);
const connections = 8;
const authors = 20;
const articles = 300;
/** The edges of each article, to articles scattered over the whole table. */
const edges = 4;

await using database = await openBenchDatabase();
await using server = await startColophon(database.url(), { LIMITS: 'off' });
const people = await Promise.all(Array.from({ length: authors }, () => registerAuthor(server.url)));
const made: { readonly id: string; readonly token: string }[] = [];
for (let n = 0; n < articles; n += 1) {
  const author = people[n % authors];
  if (author === undefined) throw new Error('no author');
  const id = await publishArticle(server.url, author, markdownOf(1024));
  made.push({ id, token: author.token });
}
for (const [n, { id, token }] of made.entries()) {
  for (let edge = 1; edge <= edges; edge += 1) {
    const other = made[(n * 7 + edge * 61 + 1) % articles];
    if (other === undefined || other.id === id) continue;
    const body = { src_article_id: id, kind: 'cites', dst_article_id: other.id };
    await post(`${server.url}/v1/edges`, body, token);
  }
}

const id = made[0]?.id ?? '';
const paths = {
  'depth 1': `/v1/articles/${id}/graph`,
  'depth 2': `/v1/articles/${id}/graph?depth=2`,
  'depth 3': `/v1/articles/${id}/graph?depth=3`,
  read: `/v1/articles/${id}`,
};
const sizes = new Map<string, number>();
for (const [what, path] of Object.entries(paths)) {
  const answer = (await (await fetch(server.url + path)).json()) as { readonly nodes?: unknown[] };
  sizes.set(what, answer.nodes?.length ?? 1);
}
const load = (path: string) => async () =>
  (await runLoad({ url: server.url, paths: [path], connections, seconds })).perSecond;
const sides = {
  'depth 1': load(paths['depth 1']),
  'depth 2': load(paths['depth 2']),
  'depth 3': load(paths['depth 3']),
  read: load(paths.read),
};
for (const warmUp of Object.values(sides)) await warmUp();
const medians = await alternate(rounds, sides);
show(
  'graph',
  (['depth 1', 'depth 2', 'depth 3'] as const).map((what) => ({
    graph: what,
    nodes: sizes.get(what) ?? 0,
    'per s': Math.round(medians[what]),
    'times a read': roundToThree(medians.read / medians[what]),
  })),
  { rounds, seconds, connections, articles, edges: articles * edges },
);
