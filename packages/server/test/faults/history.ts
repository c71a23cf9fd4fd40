// The history of a run: every call is written down when it begins, and again when its fate is known.

export type Kind = 'create' | 'revise' | 'publish' | 'refused';

export interface Answer {
  readonly status: number;
  readonly replayed: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Entry {
  readonly key: string;
  readonly kind: Kind;
  readonly authorId: string;
  /** A title that no other call writes; of a publication the revision that it names. */
  readonly mark: string;
  /** Of the article, where the call has one already. */
  readonly articleId: string | undefined;
  /** `unknown`: sent, and no answer came. It stays so until a retry is answered. */
  state: 'invoked' | 'ok' | 'fail' | 'unknown';
  sends: number;
  /** Whether any send ended without an answer. */
  wasUnknown: boolean;
  answer: Answer | undefined;
}

export interface History {
  readonly entries: readonly Entry[];
  invoke(call: Pick<Entry, 'key' | 'kind' | 'authorId' | 'mark' | 'articleId'>): Entry;
  of(state: Entry['state'], kind?: Kind): readonly Entry[];
}

export function startHistory(): History {
  const entries: Entry[] = [];
  return {
    entries,
    invoke: (call) => {
      const entry: Entry = {
        ...call,
        state: 'invoked',
        sends: 0,
        wasUnknown: false,
        answer: undefined,
      };
      entries.push(entry);
      return entry;
    },
    of: (state, kind) =>
      entries.filter((one) => one.state === state && (kind === undefined || one.kind === kind)),
  };
}
