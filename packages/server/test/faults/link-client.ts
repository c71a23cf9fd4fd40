// A process that asks a supervisor which never answers, and reports what it was told.
import { openLink } from '../../src/processes/link.ts';

const { buckets, connections } = openLink();
const answers = await Promise.all([
  buckets.take('key', { requests: 1, windowMs: 60_000 }),
  connections.enter('127.0.0.1'),
]);
const results = answers.map((answer) => answer ?? 'unknown');
process.send?.({ kind: 'results', results }, undefined, undefined, () => process.disconnect?.());
