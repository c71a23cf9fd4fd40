// Questions to a person at the terminal.
import { exits } from '../exit-codes.ts';
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
  const end = watchEnd(terminal.input);
  try {
    const typed = await password({
      message: what,
      input: terminal.input,
      output: terminal.errors,
      signal: AbortSignal.any([terminal.signal, end.signal]),
    });
    return isCancel(typed) ? cancel() : typed;
  } finally {
    end.stop();
  }
}

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
}

/**
 * The prompt would wait for ever after the end of its input: Ctrl-D, which a terminal that shows nothing passes on
 * as a key, or a terminal that is closed.
 */
function watchEnd(input: Terminal['input']) {
  const ending = new AbortController();
  // Later, because the prompt still handles the same event.
  const end = () => void setImmediate(() => ending.abort());
  const press = (_: unknown, { name, ctrl }: Key) => {
    if (ctrl === true && name === 'd') end();
  };
  input.on('keypress', press).on('end', end).on('close', end);
  const stop = () => input.off('keypress', press).off('end', end).off('close', end);
  return { signal: ending.signal, stop };
}

function cancel(): never {
  throw Object.assign(new Error('Cancelled.'), { name: 'Failure', exitCode: exits.interrupted });
}
