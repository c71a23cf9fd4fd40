// Generated messages that are HTTP or nearly so, as bytes.
import fc from 'fast-check';
import type { Send } from './raw-socket.ts';
import {
  articleBody,
  bodies,
  garbage,
  headerLines,
  methods,
  targets,
  versions,
  wholes,
} from './odd-messages.ts';

export interface Message {
  readonly line: string;
  readonly headers: readonly string[];
  readonly body: string;
  readonly newline: string;
}

export interface Target {
  readonly articleId: string;
  readonly token: string;
}

export type MakeSend = (target: Target) => Send;

/** Valid messages to start from. */
function soundMessages({ articleId, token }: Target): readonly Message[] {
  const host = 'Host: localhost';
  const bearer = `Authorization: Bearer ${token}`;
  const json = ['Content-Type: application/json', `Content-Length: ${articleBody.length}`];
  const key = `Idempotency-Key: ${crypto.randomUUID()}`;
  const chunk = `${articleBody.length.toString(16)}\r\n${articleBody}\r\n0\r\n\r\n`;
  const crlf = '\r\n';
  return [
    { line: `GET /v1/articles/${articleId} HTTP/1.1`, headers: [host], body: '', newline: crlf },
    { line: 'GET /v1/articles?limit=1 HTTP/1.1', headers: [host, bearer], body: '', newline: crlf },
    {
      line: 'POST /v1/articles?dry_run=true HTTP/1.1',
      headers: [host, bearer, key, ...json],
      body: articleBody,
      newline: crlf,
    },
    {
      line: 'POST /v1/articles?dry_run=true HTTP/1.1',
      headers: [host, bearer, key, 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
      body: chunk,
      newline: crlf,
    },
    { line: 'HEAD /v1/meta HTTP/1.1', headers: [host], body: '', newline: crlf },
    {
      line: 'OPTIONS /v1/articles HTTP/1.1',
      headers: [host, 'Origin: https://example.org', 'Access-Control-Request-Method: POST'],
      body: '',
      newline: crlf,
    },
    {
      line: 'GET /errors/conflict HTTP/1.1',
      headers: [host, 'Accept: text/markdown'],
      body: '',
      newline: crlf,
    },
    {
      line: 'DELETE /v1/tokens/00000000000000000000000000 HTTP/1.1',
      headers: [host, bearer],
      body: '',
      newline: crlf,
    },
  ];
}

type Change = (message: Message) => Message;

function lineWith(place: 0 | 1 | 2, part: string): Change {
  return (message) => ({
    ...message,
    line: message.line
      .split(' ')
      .map((word, index) => (index === place ? part : word))
      .join(' '),
  });
}

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...methods).map((part) => lineWith(0, part)) },
  { weight: 3, arbitrary: fc.constantFrom(...targets).map((part) => lineWith(1, part)) },
  { weight: 1, arbitrary: fc.constantFrom(...versions).map((part) => lineWith(2, part)) },
  {
    weight: 5,
    arbitrary: fc.constantFrom(...headerLines).map((header): Change => (message) => ({
      ...message,
      headers: [...message.headers, header],
    })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat({ max: 5 }), fc.constantFrom(...headerLines))
      .map(([place, header]): Change => (message) => ({
        ...message,
        headers: message.headers.map((one, index) =>
          index === place % message.headers.length ? header : one,
        ),
      })),
  },
  {
    weight: 1,
    arbitrary: fc.nat({ max: 5 }).map((place): Change => (message) => ({
      ...message,
      headers: message.headers.filter((_, index) => index !== place % message.headers.length),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.nat({ max: 5 }).map((place): Change => (message) => ({
      ...message,
      headers: [...message.headers, message.headers[place % message.headers.length] ?? 'X: y'],
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...bodies).map((body): Change => (message) => ({
      ...message,
      body,
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('\n', '\r', '\r\r\n', '\n\r')
      .map((newline): Change => (message) => ({ ...message, newline })),
  },
);

function bytesOf({ line, headers, body, newline }: Message): Buffer {
  return Buffer.from([line, ...headers, '', body].join(newline), 'latin1');
}

const byteChange = fc
  .tuple(fc.nat(), fc.nat({ max: 255 }), fc.boolean())
  .map(([place, byte, insert]) => (bytes: Buffer) => {
    const at = place % Math.max(bytes.length, 1);
    return Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from([byte]),
      bytes.subarray(insert ? at : at + 1),
    ]);
  });

/** Bytes after a valid request: garbage, another request, or nothing. */
const follower = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(...garbage) },
);
const ending = fc.oneof(
  { weight: 9, arbitrary: fc.constant('close' as const) },
  { weight: 1, arbitrary: fc.constant('reset' as const) },
);

/** A message with one to three faults, perhaps cut into two writes, followed by something, ended in some way. */
const broken: fc.Arbitrary<MakeSend> = fc
  .tuple(
    fc.nat({ max: 7 }),
    fc.array(change, { maxLength: 3 }),
    fc.array(byteChange, { maxLength: 2 }),
    follower,
    ending,
    fc.nat({ max: 200 }),
  )
  .map(([which, changes, byteChanges, after, end, split]): MakeSend => (target) => {
    const message = changes.reduce((so, next) => next(so), soundMessages(target)[which] as Message);
    const bytes = byteChanges.reduce((so, next) => next(so), bytesOf(message));
    const whole = Buffer.concat([bytes, Buffer.from(after, 'latin1')]);
    return {
      parts: [whole.subarray(0, split), whole.subarray(split)],
      ending: end,
      bodiless: /^\s*HEAD /.test(whole.toString('latin1', 0, 9)),
    };
  });

const odd: fc.Arbitrary<MakeSend> = fc
  .tuple(fc.constantFrom(...wholes), ending)
  .map(([text, end]): MakeSend => () => ({
    parts: [Buffer.from(text, 'latin1')],
    ending: end,
    bodiless: false,
  }));
const random: fc.Arbitrary<MakeSend> = fc
  .uint8Array({ minLength: 1, maxLength: 300 })
  .map((bytes): MakeSend => () => ({
    parts: [Buffer.from(bytes)],
    ending: 'close',
    bodiless: false,
  }));

export const brokenMessage: fc.Arbitrary<MakeSend> = fc.oneof(
  { weight: 12, arbitrary: broken },
  { weight: 2, arbitrary: odd },
  { weight: 1, arbitrary: random },
);
