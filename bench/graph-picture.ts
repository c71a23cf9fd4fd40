// The picture of a graph: processor time for the layout of 200 nodes, in a thread that starts cold and in a warm one.
//   npm run bench -- graph-picture
import { Worker } from 'node:worker_threads';
import { limits } from '@colophon/contract';
import type { LayoutTask } from '../packages/server/src/web/pictures/graph-layout.ts';
import { median, roundToThree, show } from './parts/figures.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** Layouts that one thread makes after the first. */
const warm = 10;
const edgeCounts = [200, 400, 1_000] as const;

/** A generator of numbers below 1 with a fixed seed: each run measures the same graphs. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Returns a graph of three steps in which each node hangs on one of the step before. */
function graphOf(edgeCount: number): LayoutTask {
  const next = numbers(edgeCount);
  const nodes = Array.from({ length: limits.graph_nodes_max }, (_, index) => ({
    depth: index === 0 ? 0 : index < 40 ? 1 : index < 130 ? 2 : 3,
    radius: index === 0 ? 17 : 10,
    label: { width: 110, height: 30 },
  }));
  const word = { width: 45, height: 13 };
  const pick = (from: number, to: number) => from + Math.floor(next() * (to - from));
  const above = [0, 0, 1, 40, 130] as const;
  const edges = nodes.flatMap(({ depth }, from) => {
    if (depth === 0) return [];
    return [{ from, to: pick(above[depth] ?? 0, above[depth + 1] ?? 1), word }];
  });
  while (edges.length < edgeCount) {
    const [from, to] = [pick(0, nodes.length), pick(0, nodes.length)];
    if (from !== to) edges.push({ from, to, word });
  }
  return { nodes, edges };
}

const layout = new URL('../packages/server/src/web/pictures/graph-layout.ts', import.meta.url);
/** Runs in a thread of its own, as in the service, and reports the processor time of each layout. */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
import(workerData.layout).then(({ layOutGraph }) => {
  const spent = [];
  for (let time = 0; time <= workerData.warm; time += 1) {
    const before = process.threadCpuUsage();
    layOutGraph(workerData.task);
    const { user, system } = process.threadCpuUsage(before);
    spent.push((user + system) / 1000);
  }
  parentPort.postMessage(spent);
});`;

async function spentOn(task: LayoutTask): Promise<readonly number[]> {
  const thread = new Worker(program, {
    eval: true,
    workerData: { layout: layout.href, task, warm },
  });
  const spent = Promise.withResolvers<readonly number[]>();
  thread.once('message', spent.resolve).once('error', spent.reject);
  const found = await spent.promise;
  await thread.terminate();
  return found;
}

const rows = [];
for (const count of edgeCounts) {
  const task = graphOf(count);
  const [first, later]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const [cold = Number.NaN, ...rest] = await spentOn(task);
    first.push(cold);
    later.push(...rest);
  }
  rows.push({
    edges: count,
    'first, ms': roundToThree(median(first)),
    'later, ms': roundToThree(median(later)),
    'longest, ms': roundToThree(Math.max(...first, ...later)),
  });
}
show('graph-picture', rows, { rounds, warm, nodes: limits.graph_nodes_max });
