// What an invocation has sent: its key, and the last request that may have changed something.

/** The token that an invocation sends, without its secret. */
export interface UsedToken {
  /** The service. */
  readonly url: string;
  /** The profile that it comes from; undefined for one of the environment, or one that was just given. */
  readonly profile?: string | undefined;
  /** Whether it was just given, and is stored nowhere. */
  readonly isGiven: boolean;
}

export interface Invocation {
  /** Undefined while requests carry none. */
  token: UsedToken | undefined;
  /** The prefix of its Idempotency-Keys. Set when a command starts. */
  key: string | undefined;
  /** The last write that was sent, and its Idempotency-Key if it has one. */
  lastWrite: { readonly key: string | undefined } | undefined;
}

/** Returns an invocation that has sent nothing. */
export function newInvocation(): Invocation {
  return { token: undefined, key: undefined, lastWrite: undefined };
}

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Returns a `fetch` that records writes. */
export function recordingFetch(invocation: Invocation): typeof globalThis.fetch {
  return (input, init) => {
    if (!reading.has(init?.method ?? 'GET')) {
      const key = new Headers(init?.headers).get('idempotency-key') ?? undefined;
      invocation.lastWrite = { key };
    }
    return globalThis.fetch(input, init);
  };
}

interface Advice {
  readonly next: string;
  /** To be repeated with. */
  readonly idempotency_key?: string;
}

/** Returns what to do when it is not known whether the last write took effect; undefined if nothing was written. */
export function adviceFor({ key, lastWrite }: Invocation): Advice | undefined {
  if (lastWrite === undefined) return undefined;
  if (lastWrite.key === undefined) {
    return {
      next: 'It is not known whether the last request had its effect: look before you repeat it.',
    };
  }
  if (key !== undefined && (lastWrite.key === key || lastWrite.key.startsWith(`${key}:`))) {
    const next = `Repeat it with --idempotency-key ${key}; it takes effect once.`;
    return { next, idempotency_key: key };
  }
  // The key was stored by an earlier run, and the next run finds it.
  return { next: 'Run the same command again; it takes effect once.' };
}
