// Sends requests and remembers every secret that was shown, and every answer, to look for one in the other later.
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';

/** Written a second time, from the interface's words, so that it finds what the service's own search would miss. */
const tokenForm = /^clps?_[0-9A-HJKMNP-TV-Z]{62}$/;
/** More of one than the 12 characters that may be shown. */
const partForm = /clps?_[0-9A-HJKMNP-TV-Z]{12}/;

/** 40 characters of a token; its first 12 are shown in lists. */
export function secretPart(token: string): string {
  return token.slice(12, 52);
}

export interface Asked {
  readonly token?: string;
  readonly body?: unknown;
  /** Bytes as they are, in place of `body`. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string;
}

export interface Answer {
  /** Method and path. */
  readonly to: string;
  readonly status: number;
  /** Headers and body. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Witness {
  readonly tokens: ReadonlySet<string>;
  readonly nonces: ReadonlySet<string>;
  readonly emails: ReadonlySet<string>;
  readonly answers: readonly Answer[];
  ask(method: string, path: string, asked?: Asked): Promise<Answer>;
  /** A secret that came by another way. */
  keepToken(token: string): void;
  /** An address that no account has yet. */
  freshEmail(prefix?: string): string;
}

function requestOf({ token, body, raw, headers, key }: Asked): RequestInit {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const all = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
  return sent === undefined ? { headers: all } : { headers: all, body: sent as string };
}

function parseBody(text: string): Readonly<Record<string, unknown>> {
  return text.startsWith('{') ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : {};
}

export function startWitness(baseUrl: string): Witness {
  const tokens = new Set<string>();
  const nonces = new Set<string>();
  const emails = new Set<string>();
  const answers: Answer[] = [];
  return {
    tokens,
    nonces,
    emails,
    answers,
    keepToken: (token) => void tokens.add(token),
    freshEmail: (prefix = 'reader') => {
      const email = `${prefix}-${crypto.randomUUID()}@example.org`;
      emails.add(email);
      return email;
    },
    ask: async (method, path, asked = {}) => {
      const response = await fetch(baseUrl + path, { method, ...requestOf(asked) });
      const text = await response.text();
      const body = parseBody(text);
      const shown = body['token'];
      if (response.status === 201 && typeof shown === 'string') {
        assert.match(shown, tokenForm);
        tokens.add(shown);
      }
      if (typeof body['nonce'] === 'string') nonces.add(body['nonce']);
      const answer = {
        to: `${method} ${path}`,
        status: response.status,
        text: `${JSON.stringify([...response.headers])}\n${text}`,
        body,
      };
      answers.push(answer);
      return answer;
    },
  };
}

/** The ways in which a secret could be written down: as it is, its secret part, its bytes. */
export function spellings({ tokens, nonces }: Witness): readonly string[] {
  const bytes = (secret: Buffer) => [secret.toString('hex'), secret.toString('base64')];
  return [
    ...[...tokens].flatMap((token) => [
      secretPart(token),
      secretPart(token).toLowerCase(),
      ...bytes(Buffer.from(token)),
    ]),
    ...[...nonces].flatMap((nonce) => [
      nonce,
      ...bytes(Buffer.from(nonce)),
      Buffer.from(nonce, 'base64url').toString('hex'),
    ]),
  ];
}

/** Whether there is a token in it, whole, mistyped or cut off. */
export function hasToken(text: string): boolean {
  return partForm.test(text);
}

/** Those of the lines in which one of the words occurs. */
export function linesWith(lines: readonly string[], words: readonly string[]): readonly string[] {
  return lines.filter((line) => words.some((word) => line.includes(word)));
}
