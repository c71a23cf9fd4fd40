// Reports limits: RateLimit fields (draft-ietf-httpapi-ratelimit-headers-11) and the problem.
import { rates } from '@colophon/contract';
import type { RateName } from '@colophon/contract';
import { problem } from '../problem.ts';
import type { Problem } from '../problem.ts';
import { remainderOf } from '#lib/token-bucket';
import type { Outcome, Rate } from '#lib/token-bucket';

/** A limit with the words in which it is reported. */
export interface Limit extends Rate {
  /** Name of the policy in the fields. */
  readonly policy: string;
  /** Item of RateLimit-Policy. */
  readonly policyItem: string;
  readonly seconds: number;
  /** The beginning of a sentence: the owner of the bucket and what is limited. */
  readonly subject: string;
}

type Subject = 'owner' | 'address' | 'bad token';

const subjects: Readonly<Record<Subject, (policy: string) => string>> = {
  owner: (policy) => `This account and its agents share a limit on ${policy}`,
  address: (policy) => `Your network address has a limit on ${policy.replace('-', ' ')}`,
  'bad token': () => 'Your network address has a limit on requests with invalid tokens',
};

export function limitOf(name: RateName, requests: number, subject: Subject): Limit {
  const { seconds } = rates[name];
  const policy = subject === 'bad token' ? 'bad-tokens' : rates[name].policy;
  return {
    requests,
    windowMs: seconds * 1000,
    seconds,
    policy,
    policyItem: `"${policy}";q=${requests};w=${seconds}`,
    subject: subjects[subject](policy),
  };
}

/**
 * Returns an item of RateLimit. While requests remain, `t` is the whole window: a client that spreads `r`
 * over `t` never reaches the limit. With none left it is the wait, the same as Retry-After.
 */
export function rateItem(limit: Limit, outcome: Outcome, weight = 1): string {
  const { remaining, waitSeconds } = remainderOf(limit, outcome, weight);
  const meets = !outcome.admitted || remaining === 0;
  return `"${limit.policy}";r=${remaining};t=${meets ? waitSeconds : limit.seconds}`;
}

export function rateLimited(limit: Limit, outcome: Outcome, weight = 1): Problem {
  const { waitSeconds } = remainderOf(limit, outcome, weight);
  const left =
    weight === 1 ? 'it is used up' : `this request counts as ${weight}, and fewer are left`;
  return problem(
    'rate-limited',
    `${limit.subject}: ${limit.requests} in ${limit.seconds} seconds, and ${left}. ` +
      `Wait ${waitSeconds} s, then continue at that rate.`,
    { retry_after_seconds: waitSeconds },
  );
}
