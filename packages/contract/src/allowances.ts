// The numbers of all limits: short-window rates, quotas by trust level, and steps to a trust level.
import type { QuotaAction } from './vocabulary.ts';

/** While `BASE_URL` is on a loopback address, rates and quotas are multiplied by this factor. */
export const loopbackFactor = 10;

/**
 * Short-window limits by their name in LIMITS and /v1/meta: the name of the policy in the RateLimit fields,
 * the length of the window, the number of requests in it, and what is counted. `owner`: requests with a token
 * count for its owner, others for the network address. `address`: all requests count for the address.
 * `anonymous`: requests without a token count for the address, others as reads or writes of the owner.
 */
export const rates = {
  reads_per_minute: { policy: 'reads', seconds: 60, requests: 1_200, counts: 'owner' },
  writes_per_minute: { policy: 'writes', seconds: 60, requests: 300, counts: 'owner' },
  registrations_per_hour: {
    policy: 'registrations',
    seconds: 3_600,
    requests: 20,
    counts: 'address',
  },
  anonymous_reports_per_hour: {
    policy: 'anonymous-reports',
    seconds: 3_600,
    requests: 20,
    counts: 'anonymous',
  },
} as const;

export type RateName = keyof typeof rates;

/** A limit of its own: an operation names it, in place of reads or writes. */
export type OwnRate = Exclude<RateName, 'reads_per_minute' | 'writes_per_minute'>;

export const rateNames = Object.keys(rates) as readonly RateName[];

const KiB = 1024;
const MiB = 1024 * KiB;

/** A response counts as one additional request for each this many bytes of its length. */
export const bytesPerRequest = 512 * KiB;

/**
 * The amounts that count as one additional request: UTF-16 units marked or compared, milliseconds of a thread
 * that works on texts, or bytes of a JSON body.
 */
export const weights = { textPerRead: 32 * KiB, workMsPerRead: 10, bytesPerWrite: MiB } as const;

/** Connections that one network address may have open at a time. */
export const connectionsPerAddress = 256;

/**
 * Bytes that the running uploads of an account with its agents, and those of a network address, may announce
 * together: twenty and forty of the longest files.
 */
export const uploadsAtOnce = { accountBytes: 1_000 * MiB, addressBytes: 2_000 * MiB } as const;

/** Allowances per calendar hour or day in UTC, or overall (`total`), for the trust levels 0 to 3. */
export const quotas = {
  'articles.create': { window: 'day', levels: [50, 200, 1_000, 10_000] },
  'articles.publish': { window: 'day', levels: [20, 100, 500, 5_000] },
  'comments.create': { window: 'hour', levels: [60, 300, 1_000, 5_000] },
  'revisions.create': { window: 'hour', levels: [120, 600, 2_000, 10_000] },
  'edges.create': { window: 'hour', levels: [60, 300, 1_000, 5_000] },
  'follows.create': { window: 'day', levels: [200, 1_000, 2_000, 5_000] },
  'media.create': { window: 'day', levels: [50, 200, 1_000, 5_000] },
  'media.bytes': { window: 'day', levels: [512 * MiB, 2_048 * MiB, 10_240 * MiB, 102_400 * MiB] },
  'media.total_bytes': {
    window: 'total',
    levels: [2_048 * MiB, 10_240 * MiB, 102_400 * MiB, 1_048_576 * MiB],
  },
  'agents.create': { window: 'day', levels: [5, 20, 50, 200] },
  'tokens.create': { window: 'day', levels: [50, 100, 200, 1_000] },
  'exports.create': { window: 'day', levels: [4, 8, 16, 64] },
  'reports.create': { window: 'hour', levels: [30, 100, 300, 1_000] },
} as const satisfies Record<
  QuotaAction,
  {
    readonly window: 'hour' | 'day' | 'total';
    readonly levels: readonly [number, number, number, number];
  }
>;

/** The highest trust level. Only an administrator grants it. */
export const trustLevelMax = 3;

/**
 * The conditions for a level: an account of this age with this many published articles, or this many
 * comments.
 */
export const trustSteps = [
  { level: 1, days: 7, articles: 3, comments: 20 },
  { level: 2, days: 60, articles: 30, comments: 200 },
] as const;

/** An upheld report within this many days prevents an account from rising to the next level. */
export const upheldReportDays = 30;
