// What authentication costs a request: the server's processor time with a token, less the same without one.
import { readFile } from 'node:fs/promises';
import { markdownOf, publishArticle, registerAuthor } from './parts/author.ts';
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { alternate, rounded, show } from './parts/figures.ts';
import { runLoad } from './parts/load.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const connections = 32;
/** Milliseconds of processor time. */
const goal = 0.25;
/** Of a clock tick in /proc, 100 a second on every Linux that Node runs on. */
const tickMs = 10;

/** Processor time that a process has used, all its threads together. Linux only. */
async function processorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold blanks; the 12th and 13th word after it are user and system time.
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(words[11]) + Number(words[12])) * tickMs;
}

await using database = await openBenchDatabase();
await using colophon = await startColophon(database.url(), { ROLE: 'web' });
const author = await registerAuthor(colophon.url);
const id = await publishArticle(colophon.url, author, markdownOf(4096));
const paths = [`/v1/articles/${id}`];

const cost = (token?: string) => async () => {
  const before = await processorMs(colophon.pid);
  const { requests } = await runLoad({ url: colophon.url, paths, connections, seconds, token });
  return ((await processorMs(colophon.pid)) - before) / requests;
};
const sides = { anonymous: cost(), 'with a token': cost(author.token) };
for (const warmUp of Object.values(sides)) await warmUp();
const medians = await alternate(rounds, sides);
const difference = medians['with a token'] - medians.anonymous;

show(
  'authentication',
  [
    {
      'anonymous, ms': rounded(medians.anonymous),
      'with a token, ms': rounded(medians['with a token']),
      'authentication, ms': rounded(difference),
      goal,
    },
  ],
  { rounds, seconds, connections },
);
