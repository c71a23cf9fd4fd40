// Problems in the words of people: those of the interface name headers, operations and tokens.
import type { Caller, Problem } from '#http';
import { figure, formatCount, momentOf } from '../components/labels.ts';

const nouns: Readonly<Record<string, string>> = {
  'articles.create': 'drafts',
  'articles.publish': 'published articles',
  'comments.create': 'comments',
  'revisions.create': 'saved versions',
  'edges.create': 'links',
  'follows.create': 'follows',
  'agents.create': 'agents',
  'tokens.create': 'tokens',
  'exports.create': 'exports',
  'reports.create': 'reports',
};

interface QuotaMember {
  readonly action: string;
  readonly limit: number;
  readonly window: string;
}

function wait({ members: { retry_after_seconds: seconds = 1 } }: Problem): string {
  if (seconds < 90) return formatCount(seconds, 'second');
  if (seconds < 5_400) return formatCount(Math.ceil(seconds / 60), 'minute');
  return formatCount(Math.ceil(seconds / 3_600), 'hour');
}

function quotaWords(error: Problem): string | undefined {
  const quota = error.members['quota'] as QuotaMember | undefined;
  const noun = nouns[quota?.action ?? ''];
  if (quota === undefined || noun === undefined) return undefined;
  return `You have reached the limit of your account: ${figure(quota.limit)} ${noun} in one ${quota.window}. Try again in ${wait(error)}.`;
}

const suspended =
  'Your account is suspended: you can read, but you cannot change anything. Your notifications say why.';

const phrases: Readonly<Partial<Record<Problem['problem'], (error: Problem) => string>>> = {
  'rate-limited': (error) =>
    `You are sending more than we can take at once. Try again in ${wait(error)}.`,
  unavailable: (error) =>
    `The service is busy or restarting. Nothing is lost. Try again in ${wait(error)}.`,
  'idempotency-in-progress': () =>
    'This is being sent already. Wait a moment, then load the page again.',
  'idempotency-key-reuse': () =>
    'This form was sent before with another text. Press the button again to send this text too.',
  unauthenticated: () =>
    'You are not signed in, or your session has ended. Sign in, then try again.',
};

function sentence(fault: string): string {
  const said = `${fault.charAt(0).toUpperCase()}${fault.slice(1)}`;
  return /[.!?]$/.test(said) ? said : `${said}.`;
}

/** What is wrong with the form as a whole and not with one of its fields. */
function wholeFault({ members }: Problem): string | undefined {
  const whole = members.errors?.find(({ pointer }) => pointer === '');
  return whole && sentence(whole.detail);
}

/** Times as the interface writes them: RFC 3339, in UTC. */
const times = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z/g;

/** Problems that are in words already: a form may have said more. */
const done = new WeakSet<Problem>();

/** With a session it is known why it does not count, and the problem says it. */
function phraseOf(error: Problem, caller: Caller | null): string | undefined {
  if (error.problem === 'unauthenticated' && caller !== null) return undefined;
  return phrases[error.problem]?.(error);
}

/** Returns the same problem, in words that say what to do next. */
export function inWords(error: Problem, caller: Caller | null): Problem {
  if (done.has(error)) return error;
  done.add(error);
  const isSuspended = error.problem === 'forbidden' && caller?.suspended === true;
  const said = isSuspended
    ? suspended
    : (quotaWords(error) ?? phraseOf(error, caller) ?? wholeFault(error));
  const message = (said ?? error.message).replaceAll(times, momentOf);
  return Object.assign(error, { message });
}
