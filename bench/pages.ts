// The page of an article with 100 comments, against the JSON of the same article: 32 connections, signed out.
import { markdownOf, post, publishArticle, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { alternate, roundToThree, show } from './parts/figures.ts';
import { runLoad } from './parts/load.ts';
import { commentsAtOnce } from '../packages/server/src/web/pages/comments.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const connections = 32;
const comments = 100;
const goal = 0.35;

await using database = await openBenchDatabase();
await using colophon = await startColophon(database.url());
const { url } = colophon;
const author = await registerAuthor(url);
const id = await publishArticle(url, author, markdownOf(4096));
const content = markdownOf(256);
for (let count = 0; count < comments; count += 1)
  await post(`${url}/v1/articles/${id}/comments`, { content }, author.token);

const json = `/v1/articles/${id}`;
const article = (await (await fetch(url + json)).json()) as { readonly url: string };
const page = new URL(article.url).pathname;
const shown = await (await fetch(url + page)).text();
const found = shown.match(/ id="comment-/g)?.length;
if (found !== commentsAtOnce) throw new Error(`The page shows ${found} comments.`);

const load = (path: string) => async () =>
  (await runLoad({ url, paths: [path], connections, seconds })).perSecond;
const sides = { json: load(json), page: load(page), front: load('/') };
for (const warmUp of Object.values(sides)) await warmUp();
const medians = await alternate(rounds, sides);

show(
  'pages',
  (['page', 'front'] as const).map((name) => ({
    page: name === 'page' ? `article with ${comments} comments` : 'front page',
    'ours/s': Math.round(medians[name]),
    'json/s': Math.round(medians.json),
    ratio: roundToThree(medians[name] / medians.json),
    goal: name === 'page' ? goal : '',
    bytes: name === 'page' ? shown.length : '',
  })),
  { rounds, seconds, connections, comments },
);
