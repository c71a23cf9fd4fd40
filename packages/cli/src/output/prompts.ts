// Questions to a person at the terminal.
import { misuse } from '../failures.ts';
import { readInput } from '../terminal.ts';
import type { Terminal } from '../terminal.ts';

/** Returns a secret: from standard input, or typed without being shown. */
export async function readSecret(terminal: Terminal, what: string): Promise<string> {
  const secret = (await typedOrPiped(terminal, what)).trim();
  if (secret !== '') return secret;
  throw misuse(`No ${what.toLowerCase()} was given.`, `Send it on standard input: < FILE`);
}

async function typedOrPiped(terminal: Terminal, what: string): Promise<string> {
  if (terminal.input.isTTY !== true) return (await readInput(terminal)).toString('utf8');
  const { isCancel, password } = await import('@clack/prompts');
  const typed = await password({
    message: what,
    input: terminal.input,
    output: terminal.errors,
    signal: terminal.signal,
  });
  return isCancel(typed) ? cancel() : typed;
}

function cancel(): never {
  throw Object.assign(new Error('Cancelled.'), { name: 'Failure', exitCode: 130 });
}
