// Costly work on the texts of an answer: charged by length, one task at a time for each requester.
import { weights } from '@colophon/contract';
import type {
  Client,
  Compared,
  Failure,
  Hunk,
  Requester,
  SpotlightRecord,
  Spotlit,
  TextWork,
} from '@colophon/text';
import { problem } from './problem.ts';
import type { Problem } from './problem.ts';

/** Who asks for costly work, and how it is charged to them. */
export interface Payer {
  /** The network address, and the account if there is one. */
  readonly requester: Requester;
  /**
   * Counts the request as this many additional requests.
   * @throws rate-limited
   */
  readonly spend: (weight: number) => Promise<void>;
  /** Like `spend`, for work that is done: it never refuses. */
  readonly charge: (weight: number) => void;
}

/** For pages and other calls in process, which were counted when the request arrived. */
export const nobodyPays: Payer = {
  requester: undefined,
  spend: async () => undefined,
  charge: () => undefined,
};

/** For pages of one client: what is read beyond the page itself is charged, and never refused. */
export function payerOf(client: Client): Payer {
  const charge = (weight: number) => client.worked?.(weight * weights.workMsPerRead);
  return { requester: client, spend: async (weight) => charge(weight), charge };
}

const retry = { retry_after_seconds: 2 };

function refusal(failure: Failure): Problem {
  if (failure === 'repeated') {
    const detail = 'Too many of your requests for long texts are waiting. Send one at a time.';
    return problem('rate-limited', detail, retry);
  }
  const detail = 'Too many requests for long texts are waiting. Try again in a few seconds.';
  return problem('unavailable', detail, retry);
}

function weightOf(texts: readonly string[]): number {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return Math.floor(length / weights.textPerRead);
}

export interface LongTexts {
  /**
   * Marks the texts of one answer.
   * @throws unavailable, rate-limited
   */
  readonly spotlight: (records: readonly SpotlightRecord[]) => Promise<readonly Spotlit[]>;
  /**
   * Returns the hunks; undefined if computing them is too much work.
   * @throws unavailable, rate-limited
   */
  readonly diffLines: (compared: Compared) => Promise<Hunk[] | undefined>;
}

/**
 * Returns the text operations for one request. They are charged by the length of the texts, or by the time
 * taken if that is more.
 */
export function longTexts(text: TextWork, { requester, spend, charge }: Payer): LongTexts {
  const paying = async (texts: readonly string[]): Promise<Requester> => {
    const weight = weightOf(texts);
    await spend(weight);
    if (typeof requester !== 'object') return requester;
    const worked = (ms: number) => charge(Math.floor(ms / weights.workMsPerRead) - weight);
    return { ...requester, worked };
  };
  return {
    spotlight: async (records) => {
      const texts = records.flatMap((record) => Object.values(record.texts));
      const lit = await text.spotlight(records, await paying(texts));
      if (typeof lit === 'string') throw refusal(lit);
      return lit;
    },
    diffLines: async (compared) => {
      const hunks = await text.diffLines(compared, await paying([compared.from, compared.to]));
      if (typeof hunks === 'string') throw refusal(hunks);
      return hunks;
    },
  };
}
