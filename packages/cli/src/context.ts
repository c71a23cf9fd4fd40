// What every command gets: the terminal, the output, the client, and keys for its writes.
import type { Client } from '@colophon/sdk';
import { misuse } from './failures.ts';
import { recordingFetch } from './invocation.ts';
import type { Invocation } from './invocation.ts';
import { noticingFetch } from './outages.ts';
import { openOutput } from './output/output.ts';
import type { Output } from './output/output.ts';
import { accountOf, notAService } from './profiles/account.ts';
import type { Account } from './profiles/account.ts';
import { checkToken } from './profiles/check-token.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  readonly profile?: string | undefined;
  readonly url?: string | undefined;
  readonly json?: boolean | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly attempts?: number | undefined;
  readonly timeout?: number | undefined;
}

export interface Context {
  readonly terminal: Terminal;
  readonly options: GlobalOptions;
  readonly output: Output;
  /** The account of the invocation, read once. */
  account(): Promise<Account>;
  /** A client of the account's service. Ctrl-C ends its calls, or the signal that is given in its place. */
  client(signal?: AbortSignal): Promise<Client>;
  /** A client that says when the service does not answer, and when it answers again. */
  waitingClient(): Promise<Client>;
  /** A client of another account, with the same limits. */
  clientFor(account: Account): Promise<Client>;
  /**
   * The Idempotency-Key of one write of this invocation: the same for the same step, so that an invocation
   * that is repeated with --idempotency-key repeats its writes and does not add any.
   */
  key(step?: string): string;
}

/** Calls after 30 seconds of waiting fail: a person is there. */
async function openClient(
  context: Pick<Context, 'options' | 'terminal'>,
  account: Account,
  fetch: typeof globalThis.fetch,
): Promise<Client> {
  const { createClient } = await import('@colophon/sdk');
  const { attempts, timeout } = context.options;
  try {
    return createClient({
      baseUrl: account.url,
      token: account.token,
      signal: context.terminal.signal,
      fetch,
      userAgent: `colophon/${version}`,
      retry: {
        ...(attempts === undefined ? {} : { attempts }),
        ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
      },
    });
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith('baseUrl'))
      throw misuse(
        notAService(account.url),
        'Give the address with http:// or https://, without a user name and without /v1.',
      );
    if (error instanceof TypeError) throw misuse(error.message);
    throw error;
  }
}

interface Ways {
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof globalThis.fetch;
}

/** Opens the context of an invocation. */
export function openContext(
  terminal: Terminal,
  options: GlobalOptions,
  invocation: Invocation,
): Context {
  const key = options.idempotencyKey ?? crypto.randomUUID();
  invocation.key = key;
  let account: Promise<Account> | undefined;
  const recording = recordingFetch(invocation);
  const openFor = async (
    other: Account,
    isGiven: boolean,
    { signal = terminal.signal, fetch = recording }: Ways = {},
  ) => {
    const { url, profile, token } = other;
    const used = { url, profile, isGiven };
    invocation.token = token === undefined ? undefined : used;
    if (token !== undefined) await checkToken(token, used);
    return openClient({ options, terminal: { ...terminal, signal } }, other, fetch);
  };
  const base = {
    terminal,
    options,
    output: openOutput(terminal, options.json === true),
    account: () => (account ??= accountOf(terminal, options)),
    clientFor: (other: Account) => openFor(other, true),
    key: (step?: string) => (step === undefined ? key : `${key}:${step}`),
  };
  const waiting = () =>
    noticingFetch(recording, { signal: terminal.signal, note: base.output.note });
  return {
    ...base,
    client: async (signal) => openFor(await base.account(), false, { signal }),
    waitingClient: async () => openFor(await base.account(), false, { fetch: waiting() }),
  };
}
