// The parser thread: performs one task after the other for parse().
import { parentPort } from 'node:worker_threads';
import { isRefusal } from '../source.ts';
import { tasks } from './tasks.ts';
import type { Request, Response } from './tasks.ts';

function respond({ name, input }: Request): Response {
  try {
    return { output: (tasks[name] as (given: unknown) => unknown)(input) };
  } catch (error) {
    if (isRefusal(error)) return { refused: error.message };
    if (error instanceof RangeError) return { refused: 'It is nested too deeply.' };
    throw error;
  }
}

parentPort?.on('message', (request: Request) => parentPort?.postMessage(respond(request)));
