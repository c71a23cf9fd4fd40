// The cost of authentication: processor time of a request with a token, less that of one without.
import { startColophon } from './parts/child.ts';
import { openBenchDatabase } from './parts/database.ts';
import { alternate, roundToThree, show } from './parts/figures.ts';
import { processorMs } from './parts/processor.ts';
import { prepareReads } from './parts/reading-load.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const connections = 32;
/** Milliseconds of processor time. */
const goal = 0.25;

await using database = await openBenchDatabase();
await using colophon = await startColophon(database.url(), { ROLE: 'web' });
const { run } = await prepareReads(colophon.url);

const cost = (withTokens: boolean) => async () => {
  const before = await processorMs(colophon.pid);
  const { requests } = await run({ url: colophon.url, connections, seconds, withTokens });
  return ((await processorMs(colophon.pid)) - before) / requests;
};
const sides = { anonymous: cost(false), 'with a token': cost(true) };
for (const warmUp of Object.values(sides)) await warmUp();
const medians = await alternate(rounds, sides);
const difference = medians['with a token'] - medians.anonymous;

show(
  'authentication',
  [
    {
      'anonymous, ms': roundToThree(medians.anonymous),
      'with a token, ms': roundToThree(medians['with a token']),
      'authentication, ms': roundToThree(difference),
      goal,
    },
  ],
  { rounds, seconds, connections },
);
