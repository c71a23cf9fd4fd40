// Generates docs/limits.md from the numbers in the contract and the operations that declare them.
import {
  bytesPerRequest,
  ceremonyList,
  connectionsPerAddress,
  loopbackFactor,
  operationList,
  quotaActions,
  quotas,
  rateNames,
  rates,
  trustSteps,
  upheldReportDays,
  uploadsAtOnce,
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

/** Returns the requests of the operations and ceremonies that match, separated by commas. */
function requestsOf(matches: (operation: AnyOperation) => boolean): string {
  return [...operationList, ...ceremonyList]
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

const rateNotes = `Each limit is a token bucket: a full bucket admits the whole number at once, and it refills evenly over the window. An operation counts against the limit that its declaration in the contract names (\`rate\`), others against reads or writes, by their method.

- **With a token** the bucket belongs to the account: all tokens of a person and of that person's agents share it. The limit of a token and the limit of its owner are the same number, so the owner's bucket enforces both.
- **Without a token** it belongs to the network address, for IPv6 to the /64. Behind a proxy, set \`TRUSTED_PROXIES\`, otherwise all clients share the address of the proxy.
- **Registrations** count for the address with a token or without, whether they succeed or not. Without a token they count against no other limit.
- **Invalid tokens**, and cookies of no open session below \`/-/\` and at forms, are counted for the address, with the number of reads (policy \`bad-tokens\`). When the bucket is empty, no token and no such cookie from that address is looked up until it refills.
- **Pages, feeds, previews, sitemaps, share images and the bytes of media** use no token: each is a read of the network address, in the same bucket as API reads without a token. Not limited are \`/assets\`, \`/errors\`, \`/favicon.ico\`, \`/robots.txt\`, \`/llms.txt\`, \`/v1/openapi.json\` without a token, \`/healthz\`, \`/readyz\` and \`/metrics\`.
- **Long responses** count more than once: one more request for each ${bytesPerRequest / 1024} KiB of the response before compression. For files and sitemaps the sent bytes count. The charge follows the response, so it delays the next request and does not refuse this one.
- **Long reads** weigh more: \`view=spotlight\` and \`GET /v1/articles/{id}/diff\` count as one more read for each ${weights.textPerRead / KiB} KiB (UTF-16 units) of the texts that are marked or compared. Work that takes longer counts as one more read for each ${weights.workMsPerRead} ms; this is charged afterwards. Such work runs for one request of a network address and of an account at a time: addresses take turns, and so do the accounts of an address. At most 8 requests of an account wait, or of an address without a token, and further requests get 429 \`rate-limited\`. If too many requests of all callers wait, the newest request of the address with the most waiting requests gets 503 \`unavailable\`. Two revisions that cannot be compared within the limits are not compared again for ten minutes: the response is \`truncated\` immediately.
- **Comments on pages** and in feeds are rendered for one page of a network address at a time, and count as one more read for each ${weights.workMsPerRead} ms that this takes. A page waits for them up to 8 seconds and then shows the source of the remaining comments.
- **Long writes** weigh more: a JSON body counts as one more write for each ${weights.bytesPerWrite / MiB} MiB.
- **Reports without a token** count for the address as \`anonymous-reports\`, whether they succeed or not and whatever their target, and against no other limit. With a token they are writes of the account and use its allowance \`reports.create\`.

Every limited response carries [\`RateLimit-Policy\` and \`RateLimit\`](https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/): \`"reads";q=1200;w=60\` is the policy, \`"reads";r=1199;t=60\` the remaining requests. While requests remain, \`t\` is the window; otherwise it is the wait. Over the limit the response is 429 \`rate-limited\` with \`Retry-After\` and \`retry_after_seconds\`.`;

const connectionNotes = `A network address (for IPv6 the /64) may have ${connectionsPerAddress} connections open, \`connections_per_address\` in \`LIMITS\` and \`GET /v1/meta\`. The first request on a further connection is answered with 429 \`rate-limited\`, and the connection closes; beyond twice the number connections are reset. Connections of a proxy named in \`TRUSTED_PROXIES\` are not counted, because they carry the requests of many clients: configure the proxy to limit its clients, for example with \`limit_conn\` of nginx.

On one connection eight pipelined requests are answered at a time, and 128 wait. A client that sends more at once gets the responses to these; the last one contains \`Connection: close\`, and the connection ends. The bytes after them are not parsed: up to 4 MiB of them are discarded for up to 30 seconds, then the connection is reset. At most 16 requests of a connection begin in one turn of the event loop. A query string has at most 200 parameters. A body may arrive in 4,096 pieces, and in one more for each 256 bytes of it; the rest of a body in more pieces is discarded, up to 16 MiB, and the connection ends. A connection is closed if its client reads nothing of a response for 30 seconds, or less than 1 KiB a second over a minute. Responses that clients have not read may use 40 MiB of the process, those of one address two fifths of it; beyond that, reads with responses over 16 KiB get 503 \`unavailable\`.`;

const uploadNotes = `The uploads that run at a time may announce ${uploadsAtOnce.accountBytes / MiB} MiB for an account with its agents, and ${amount('media.bytes', uploadsAtOnce.addressBytes)} for a network address, in each server process: the \`Content-Length\` of each counts until it is answered. An upload beyond that gets 429 \`rate-limited\` before its bytes are read. An upload that is not completed costs no allowance, and would otherwise reserve its part of the disk for nothing.`;

/** Returns the whole page. The test of generated files compares it with the committed one. */
export function limitsPage(): string {
  return [
    '# Limits',
    '',
    'Generated from `packages/contract` by `npm run docs`; do not edit.',
    '',
    `These are the defaults. While \`BASE_URL\` is on a loopback address, every number is multiplied by ${loopbackFactor}. The file named by \`LIMITS\` changes them, \`LIMITS=off\` switches all of them off. \`GET /v1/meta\` shows the numbers in force.`,
    '',
    '## Short-window limits',
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
    uploadNotes,
    '',
    '## Allowances per hour or day',
    '',
    'An allowance is charged in the transaction of the effect: never for a failure, a dry run or a replay. Windows are calendar hours and days in UTC. Agents use the allowance of their owner, at the owner’s level; `GET /v1/principals/{id}/quota` shows the remaining amounts.',
    '',
    'The window `total` never resets: `media.total_bytes` limits the bytes that an account and its agents store at one time. Each record counts with its whole size while its bytes are stored, even if another record has the same bytes; deleting or erasing it returns them in the same transaction. A file that a moderator hid or removed counts until its author deletes it. `reset_at` is `9999-12-31T23:59:59.999Z`: waiting does not help.',
    '',
    '| Action | Window | Level 0 | Level 1 | Level 2 | Level 3 | Charged by |',
    '|---|---|---|---|---|---|---|',
    ...quotaRows(),
    '',
    '## Trust levels',
    '',
    'A new account has level 0. Once an hour the levels are raised by these rules:',
    '',
    '| Level | Age of the account | Published works |',
    '|---|---|---|',
    ...trustRows(),
    '',
    `A report that was upheld in the last ${upheldReportDays} days, on the account or on one of its agents, prevents the rise: an action with a \`report_id\` that neither a restoration nor an appeal reversed. Articles count while they are published, public and not de-indexed; comments while they are visible on such an article. These rules lower no level, except that of an agent, which is never above its owner. Level 3 is set only by \`npm run admin -- trust USERNAME 3\`. That command can also lower a level, but an account regains a level that it has earned within the hour.`,
    '',
    '## A file for `LIMITS`',
    '',
    'Missing members keep their defaults. The numbers of the file are used unchanged, also on a loopback address. Reads, writes and connections need a number above 0; the others may be 0, which refuses every one.',
    '',
    '```json',
    '{ "rates": { "reads_per_minute": 600 }, "quotas": { "articles.create": [10, 100, 1000, 5000] }, "connections_per_address": 100 }',
    '```',
    '',
  ].join('\n');
}
