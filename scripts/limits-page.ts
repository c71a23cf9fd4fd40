// Generates docs/limits.md from the numbers in the contract and the operations that declare them.
import {
  bytesPerRequest,
  connectionsPerAddress,
  loopbackFactor,
  operationList,
  quotaActions,
  quotas,
  rateNames,
  rates,
  trustSteps,
  upheldReportDays,
  weights,
} from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';

const number = new Intl.NumberFormat('en-US');
const KiB = 1024;
const MiB = 1024 * KiB;

function amount(action: string, n: number): string {
  if (!/[._]bytes$/.test(action)) return number.format(n);
  if (n % (1024 * 1024 * MiB) === 0) return `${n / (1024 * 1024 * MiB)} TiB`;
  return n % (1024 * MiB) === 0 ? `${n / (1024 * MiB)} GiB` : `${n / MiB} MiB`;
}

/** Returns the requests of the operations that match, separated by commas. */
function requestsOf(matches: (operation: AnyOperation) => boolean): string {
  return operationList
    .filter(matches)
    .map(({ method, path }) => `\`${method} ${path}\``)
    .join(', ');
}

/** The limits that no operation declares, because the method decides. */
const byMethod: Readonly<Record<string, string>> = {
  reads_per_minute: '`GET` and `HEAD`',
  writes_per_minute: 'all other methods',
};

function rateRows(): readonly string[] {
  return rateNames.map((name) => {
    const { policy, requests, seconds, counts } = rates[name];
    const counted = byMethod[name] ?? requestsOf(({ rate }) => rate === name);
    const without = counts === 'anonymous' ? ' without a token' : '';
    return `| \`${policy}\` | ${number.format(requests)} | ${seconds} s | \`${name}\` | ${counted}${without} |`;
  });
}

function quotaRows(): readonly string[] {
  return quotaActions.map((action) => {
    const { window, levels } = quotas[action];
    const numbers = levels.map((n) => amount(action, n)).join(' | ');
    const charged = requestsOf(({ quota }) => quota === action) || 'bytes that are stored';
    return `| \`${action}\` | ${window} | ${numbers} | ${charged} |`;
  });
}

function trustRows(): readonly string[] {
  return trustSteps.map(
    ({ level, days, articles, comments }) =>
      `| ${level} | ${days} days | ${articles} published articles or ${comments} comments |`,
  );
}

const rateNotes = `Each is a token bucket: full, it takes the whole number at once, and it fills evenly over the window. An operation counts against the limit that its declaration in the contract names (\`rate\`), others against reads or writes, by their method.

- **With a token** the bucket belongs to the account: all tokens of a person and of that person's agents share it. The limit of one token and that of its owner are the same number, so the owner's bucket holds both.
- **Without a token** it belongs to the network address, for IPv6 to the /64. Behind a proxy set \`TRUSTED_PROXIES\`, or everybody shares the proxy's address.
- **Registrations** count for the address with a token or without, whether they succeed or not. Without a token they count as nothing else.
- **Tokens that do not hold** are counted for the address, as many as reads (policy \`bad-tokens\`). When they are used up, no token from that address is looked up until the bucket fills.
- **Pages, feeds, previews, sitemaps, share images and the bytes of media** look at no token: each is a read of the network address, in the same bucket as reads of the API without one. Free are \`/assets\`, \`/errors\`, \`/robots.txt\`, \`/llms.txt\`, \`/v1/openapi.json\`, \`/healthz\`, \`/readyz\` and \`/metrics\`.
- **Long answers** count more than once: one request more for each ${bytesPerRequest / 1024} KiB of the answer before compression. Of files and sitemaps, what was written counts. It is charged afterwards, so it delays the next request and refuses nothing itself.
- **Long reads** weigh more: \`view=spotlight\` and \`GET /v1/articles/{id}/diff\` count as one more read for each ${weights.textPerRead / KiB} KiB (UTF-16 units) of the texts that are marked or compared. Work that takes longer than that counts as one more read for each ${weights.workMsPerRead} ms; this is charged afterwards. Such work is done for one request of a network address at a time, and for one of an account: addresses take turns, and so do the accounts of an address. At most 8 requests of an account wait, or of an address without a token, and those beyond them get 429 \`rate-limited\`. Where too many of all callers wait, the newest request of the address with the most waiting requests gets 503 \`unavailable\`. Two revisions that cannot be compared within the bounds are not compared again for ten minutes: the answer is \`truncated\` at once.
- **Comments on pages** and in feeds are rendered for one page of a network address at a time, and count as one more read for each ${weights.workMsPerRead} ms that this takes. A page waits for them 8 seconds; comments that are left are shown as they were written.
- **Long writes** weigh more: a JSON body counts as one more write for each ${weights.bytesPerWrite / MiB} MiB.
- **Reports without a token** count for the address as \`anonymous-reports\`, whether they succeed or not and whatever they are on, and as nothing else. With a token they are writes of the account.

Every answer that counts carries [\`RateLimit-Policy\` and \`RateLimit\`](https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/): \`"reads";q=1200;w=60\` is the policy, \`"reads";r=1199;t=60\` what is left. While something is left, \`t\` is the window; with nothing left it is the wait. Over the limit the answer is 429 \`rate-limited\` with \`Retry-After\` and \`retry_after_seconds\`.`;

const connectionNotes = `A network address (for IPv6 the /64) may have ${connectionsPerAddress} connections open, \`connections_per_address\` in \`LIMITS\` and \`GET /v1/meta\`. The first request on one more is answered with 429 \`rate-limited\`, and the connection closes; beyond twice the number connections are reset. Connections of a proxy named in \`TRUSTED_PROXIES\` are not counted, because they carry the requests of many clients: let the proxy limit those, for example with \`limit_conn\` of nginx.

On one connection eight pipelined requests are answered at a time, and 128 wait. A client that sends more at once gets the answers to these; the last one says \`Connection: close\`, and the connection ends. What it sends after them is not parsed: up to 4 MiB of it are discarded for up to 30 seconds, beyond that the connection is reset. At most 16 requests of a connection begin in one turn of the event loop. A connection whose client takes nothing of an answer for 30 seconds, or less than 1 KiB a second over a minute, ends. All answers that clients have not read may hold 40 MiB of the process, those of one address two fifths of it; beyond that reads with answers over 16 KiB get 503 \`unavailable\`.`;

/** Returns the whole page. The test of generated files compares it with the committed one. */
export function limitsPage(): string {
  return [
    '# Limits',
    '',
    'Generated from `packages/contract` by `npm run docs`; do not edit.',
    '',
    `These are the defaults. While \`BASE_URL\` is on a loopback address, every number is ${loopbackFactor} times as wide. The file named by \`LIMITS\` changes them, \`LIMITS=off\` switches all of them off. \`GET /v1/meta\` shows the numbers in force.`,
    '',
    '## In a short time',
    '',
    '| Policy | Requests | Window | Name in `LIMITS` | Counts |',
    '|---|---|---|---|---|',
    ...rateRows(),
    '',
    rateNotes,
    '',
    '## Connections',
    '',
    connectionNotes,
    '',
    '## In an hour or a day',
    '',
    'An allowance is charged with the effect itself: never for a failure, a dry run or a replay. Windows are calendar hours and days in UTC. Agents draw on the allowance of their owner, at the owner’s level; `GET /v1/principals/{id}/quota` shows what is left.',
    '',
    'The window `total` never turns over: `media.total_bytes` bounds the bytes that an account and its agents store at one time. Each record counts with its whole size while its bytes are kept, also where another record has the same bytes; deleting or erasing it gives them back in the same transaction. What a moderator hid or removed counts until its author deletes it. `reset_at` is `9999-12-31T23:59:59.999Z`: waiting does not help.',
    '',
    '| Action | Window | Level 0 | Level 1 | Level 2 | Level 3 | Charged by |',
    '|---|---|---|---|---|---|---|',
    ...quotaRows(),
    '',
    '## Trust levels',
    '',
    'A new account has level 0. Once an hour the levels follow what accounts did:',
    '',
    '| Level | Age | And |',
    '|---|---|---|',
    ...trustRows(),
    '',
    `A report that was upheld in the last ${upheldReportDays} days, on the account or on an agent that it answers for, stops the rise: an action with a \`report_id\` that neither a restoration nor an appeal took back. Articles count while they are published, public and not de-indexed; comments while they are visible on such an article. Nobody falls by this, except an agent, which is never above its owner. Level 3 is given by \`npm run admin -- trust USERNAME 3\` only. That command lowers levels too, but what an account has earned it gets again within the hour.`,
    '',
    '## A file for `LIMITS`',
    '',
    'What it leaves out keeps its default. Its numbers are taken as they are, on a loopback address too.',
    '',
    '```json',
    '{ "rates": { "reads_per_minute": 600 }, "quotas": { "articles.create": [10, 100, 1000, 5000] }, "connections_per_address": 100 }',
    '```',
    '',
  ].join('\n');
}
