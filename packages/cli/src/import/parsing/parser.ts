// parse(): parses a text of a stranger in a thread, which is ended when a text takes too long.
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { startLimitedWorker } from '../limited-worker.ts';
import { refusal } from '../source.ts';
import type { Input, Output, Request, Response, TaskName } from './tasks.ts';

/** Processor time. An article of 1 MiB takes about a second. */
const longestMs = 10_000;
const pollMs = 250;

const own = import.meta.url;
/** Beside this file in the sources; in a built program, beside the program. */
const program = own.endsWith('.ts')
  ? new URL('./parser.worker.ts', own)
  : new URL('../parser.worker.js', own);

let idle: Worker | undefined;
let queue: Promise<unknown> = Promise.resolve();

/** Processor time of a thread in milliseconds. Before Node.js 24.6, the clock has to do. */
async function timeOf(worker: Worker): Promise<number> {
  if (typeof worker.cpuUsage !== 'function') return performance.now();
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1000;
}

/** Resolves when the thread has used its time. */
async function overtime(worker: Worker, signal: AbortSignal, limitMs: number): Promise<void> {
  let began: number | undefined;
  while (!signal.aborted) {
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const time = await timeOf(worker).catch(() => undefined);
    began ??= time;
    if (time !== undefined && began !== undefined && time - began > limitMs) return;
  }
}

const tooComplex = () => refusal('It is too complex: reading it takes too long.');

/** Resolves with the answer of the thread. @throws a refusal when the thread ends for want of memory */
async function answerOf(worker: Worker, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooComplex() : error);
    const onExit = () => reject(tooComplex());
    worker.on('message', resolve).on('error', onError).on('exit', onExit);
    signal.addEventListener('abort', () =>
      worker.off('message', resolve).off('error', onError).off('exit', onExit),
    );
  });
}

function newWorker(): Worker {
  const worker = startLimitedWorker(program);
  // Errors of a task reach its caller; those of a thread that is being ended are ignored.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    if (idle === worker) idle = undefined;
  });
  return worker;
}

async function perform(request: Request, limitMs: number): Promise<Response> {
  const worker = idle ?? newWorker();
  idle = undefined;
  worker.ref();
  const ending = new AbortController();
  try {
    const answer = answerOf(worker, ending.signal);
    worker.postMessage(request);
    const response = await Promise.race([answer, overtime(worker, ending.signal, limitMs)]);
    if (response === undefined) throw tooComplex();
    // The next text uses the same thread; a program that is done does not wait for it.
    idle = worker;
    worker.unref();
    return response;
  } finally {
    ending.abort();
    if (idle !== worker) await worker.terminate();
  }
}

/**
 * Performs a task in the parser thread.
 *
 * @throws a refusal for a text that the task refuses, and for one that takes more than 10 seconds of
 * processor time (or `limitMs`) or more than 512 MiB of memory
 */
export async function parse<Name extends TaskName>(
  name: Name,
  input: Input<Name>,
  limitMs = longestMs,
): Promise<Output<Name>> {
  const turn = queue.then(() => perform({ name, input }, limitMs));
  queue = turn.catch(() => undefined);
  const response = await turn;
  if ('refused' in response) throw refusal(response.refused);
  return response.output as Output<Name>;
}
