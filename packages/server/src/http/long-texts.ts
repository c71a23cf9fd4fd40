// Costly work on texts for an answer: weighed, one at a time for each requester, with the problem where it must wait.
import { weights } from '@colophon/contract';
import type { SpotlightRecord, Spotlit } from '#lib/spotlight';
import type { Compared, Failure, Hunk, Requester, TextWork } from '#text';
import { problem } from './problem.ts';
import type { Problem } from './problem.ts';

/** Who asks for costly work, and who pays for it. */
export interface Asking {
  /** The network address, and the account where there is one. */
  readonly requester: Requester;
  /** The request counts as so many more. @throws rate-limited */
  readonly spend: (weight: number) => Promise<void>;
  /** As `spend`, for work that is done: it refuses nothing. */
  readonly charge: (weight: number) => void;
}

/** Of pages and other calls in process: they were counted where they came in. */
export const unasked: Asking = {
  requester: undefined,
  spend: async () => undefined,
  charge: () => undefined,
};

const retry = { retry_after_seconds: 2 };

function refusal(failure: Failure): Problem {
  if (failure === 'repeated') {
    const detail =
      'Too many of your requests for long texts wait for each other. Send one at a time.';
    return problem('rate-limited', detail, retry);
  }
  const detail = 'Too many long texts wait to be read through. Try again in a moment.';
  return problem('unavailable', detail, retry);
}

function weightOf(texts: readonly string[]): number {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return Math.floor(length / weights.textPerRead);
}

export interface LongTexts {
  /** Marks what one answer holds. @throws unavailable, rate-limited */
  readonly spotlight: (records: readonly SpotlightRecord[]) => Promise<readonly Spotlit[]>;
  /** The hunks; undefined where they are too much work. @throws unavailable, rate-limited */
  readonly diffLines: (compared: Compared) => Promise<Hunk[] | undefined>;
}

/** The work for one request. It is paid for by the length of its texts, and by its time where that is more. */
export function longTexts(text: TextWork, { requester, spend, charge }: Asking): LongTexts {
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
