#!/usr/bin/env node
// The command `colophon`: connects the program to the process that runs it.
import { writeSync } from 'node:fs';
import { exits } from './exit-codes.ts';
import { cannotPrint } from './files.ts';
import { runProgram } from './program.ts';

const ending = new AbortController();

/** The first Ctrl-C cancels requests in flight; a second one ends the process. */
process.on('SIGINT', () => {
  if (ending.signal.aborted) process.exit(exits.interrupted);
  ending.abort(new Error('Interrupted.'));
});

let isTerminated = false;
const patienceMs = 5000;

/**
 * So does SIGTERM, which `timeout` and supervisors send: without the key of a write in flight, a repetition could be a
 * second one. The second SIGTERM ends the process at once.
 */
process.once('SIGTERM', () => {
  isTerminated = true;
  ending.abort(new Error('Interrupted.'));
  // A command that waits for something else than the service, such as a disk that does not answer, ends too.
  setTimeout(() => process.kill(process.pid, 'SIGTERM'), patienceMs).unref();
});

let unwritten: Error | undefined;

/** A reader that ends early, such as `head`, has what it wants. The command ends as it would with one. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') unwritten ??= error;
});

/** A command fails where its answer cannot be written; help and scripts are written without waiting for it. */
process.on('exit', (code) => {
  if (unwritten === undefined || code !== exits.done) return;
  process.exitCode = exits.failed;
  const { message, next } = cannotPrint(unwritten);
  try {
    writeSync(process.stderr.fd, `colophon: ${message}\nNext: ${next}\n`);
  } catch {
    // The exit code says it.
  }
});

/** Nobody reads why a command failed; its exit code still says that it did. */
process.stderr.on('error', () => {});

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  folder: process.cwd(),
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  signal: ending.signal,
});

// The process that waits for this one learns that the signal ended it.
if (isTerminated && process.exitCode === exits.interrupted) process.kill(process.pid, 'SIGTERM');
