// Generated requests that are JSON or nearly so: valid ones of every writing operation, then broken.
import fc from 'fast-check';
import { anyCodePoint } from '../any-text.ts';
import { oddHeaders } from './odd-http.ts';
import { oddDates, oddNames, oddValues } from './odd-json.ts';

export interface Case {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** What valid requests name: one article, its newest revision and its author. */
export interface Subject {
  readonly articleId: string;
  readonly revisionId: string;
  readonly authorId: string;
  readonly token: string;
}

type Members = readonly (readonly [name: string, value: string])[];

interface Valid {
  readonly method: string;
  readonly path: string;
  readonly members: Members;
  readonly headers?: Readonly<Record<string, string>>;
}

function membersOf(body: object): Members {
  return Object.entries(body).map(([name, value]) => [JSON.stringify(name), JSON.stringify(value)]);
}

let names = 0;

/** A valid request of each operation that takes a body. */
function validRequests(subject: Subject): readonly Valid[] {
  const { articleId, revisionId, authorId } = subject;
  names += 1;
  const text = {
    title: 'A title',
    content: '# Text\n\nWith *marks*, é and \u{1F600}.',
    metadata: { topics: ['one', 'two'], deep: { a: [1, 2.5, null] } },
  };
  const details = {
    visibility: 'unlisted',
    authorship_disclosure: 'ai_assisted',
    canonical_url: 'https://example.org/a',
    language: 'en',
  };
  return [
    {
      method: 'POST',
      path: '/v1/humans',
      members: membersOf({
        username: `odd-${names.toString(36).replaceAll(/[01]/g, 'x')}-${crypto.randomUUID().slice(0, 4).replaceAll(/[01]/g, 'y')}a`,
        display_name: 'Somebody',
        email: 'a@example.org',
      }),
    },
    {
      method: 'POST',
      path: '/v1/tokens',
      members: membersOf({
        principal_id: authorId,
        name: 'a token',
        scopes: ['articles:read'],
        expires_at: '2999-01-01T00:00:00.000Z',
      }),
    },
    { method: 'POST', path: '/v1/articles', members: membersOf({ ...text, ...details }) },
    {
      method: 'PATCH',
      path: `/v1/articles/${articleId}`,
      members: membersOf({ ...details, featured_media_id: null }),
    },
    {
      method: 'POST',
      path: `/v1/articles/${articleId}/revisions?dry_run=true`,
      members: membersOf({ ...text, expected_revision_id: revisionId }),
    },
    {
      method: 'POST',
      path: `/v1/articles/${articleId}/publish?dry_run=true`,
      members: membersOf({
        revision_id: revisionId,
        signature: null,
        signature_key_id: null,
        published_at: '2020-01-01T00:00:00.000Z',
      }),
    },
  ];
}

const oddText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...oddValues) },
  { weight: 2, arbitrary: fc.constantFrom(...oddDates).map((text) => JSON.stringify(text)) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: anyCodePoint, maxLength: 400 })
      .map((text) => JSON.stringify(text)),
  },
  { weight: 1, arbitrary: fc.json({ maxDepth: 6 }) },
);
const oddName = fc.oneof(
  fc.constantFrom(...oddNames),
  fc.string({ unit: anyCodePoint, maxLength: 40 }).map((text) => JSON.stringify(text)),
);

type Edit = (members: Members) => Members;

const at = fc.nat({ max: 9 });

/** One change to the members of a body. */
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(at, oddText).map(
      ([place, value]): Edit =>
        (members) =>
          members.map((member, index) =>
            index === place % members.length ? [member[0], value] : member,
          ),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(oddName, oddText).map(([name, value]): Edit => (members) => [
      ...members,
      [name, value],
    ]),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(at, oddText).map(([place, value]): Edit => (members) => [
      ...members,
      [(members[place % members.length] ?? ['"a"'])[0], value],
    ]),
  },
  {
    weight: 1,
    arbitrary: at.map(
      (place): Edit =>
        (members) =>
          members.filter((_, index) => index !== place % members.length),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(at, oddText).map(
      ([place, value]): Edit =>
        (members) =>
          members.map((member, index) =>
            index === place % members.length ? [member[0], `[${member[1]},${value}]`] : member,
          ),
    ),
  },
);

const shapes: readonly ((text: string) => string)[] = [
  (text) => `[${text}]`,
  (text) => JSON.stringify(text),
  (text) => `\ufeff${text}`,
  (text) => ` \t\r\n${text}\n`,
  (text) => `${text}${text}`,
  (text) => `${text},`,
  (text) => text.replace('}', ',}'),
  (text) => text.replaceAll('"', "'"),
  (text) => `/* c */${text}`,
  (text) => `${text}// c`,
  (text) => text.slice(0, -1),
  () => '',
  () => 'null',
  () => '[]',
  () => '0',
  () => '"text"',
  () => 'true',
  () => '{',
  () => '}',
  () => '{}',
  () => '\u0000',
  (text) => `${text}\u0000`,
  (text) => text.replace('{', '{"a":1,,'),
  (text) => `${'['.repeat(10_000)}${text}`,
  (text) => `{"a":${text}}`,
  (text) => text.replace(':', '='),
  (text) => `${text}${' '.repeat(70_000)}`,
  (text) => `)]}',\n${text}`,
];

type Cut = (bytes: Buffer) => Buffer;

/** One change to the bytes: flipped, put in, taken out, cut off. */
const cut: fc.Arbitrary<Cut> = fc
  .tuple(
    fc.nat(),
    fc.nat({ max: 255 }),
    fc.constantFrom('flip', 'insert', 'remove', 'truncate', 'double'),
  )
  .map(([place, byte, how]): Cut => (bytes) => {
    if (bytes.length === 0) return bytes;
    const index = place % bytes.length;
    const [before, rest] = [bytes.subarray(0, index), bytes.subarray(index)];
    if (how === 'insert') return Buffer.concat([before, Buffer.from([byte]), rest]);
    if (how === 'remove') return Buffer.concat([before, rest.subarray(1)]);
    if (how === 'truncate') return before;
    if (how === 'double') return Buffer.concat([before, rest, rest]);
    return Buffer.concat([before, Buffer.from([(rest[0] ?? 0) ^ (byte || 1)]), rest.subarray(1)]);
  });

/** Mostly none, sometimes an odd one. */
export const ownHeaders = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(...oddHeaders) },
);
const edits = fc.oneof(fc.array(edit, { minLength: 1, maxLength: 3 }), fc.constant<Edit[]>([]));
const shape = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(...shapes) },
);
const cuts = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Cut[]>([]) },
  { weight: 1, arbitrary: fc.array(cut, { minLength: 1, maxLength: 4 }) },
);

export type Make = (subject: Subject) => Case;

/** A request with a body, broken in one or several ways. */
export const brokenBody: fc.Arbitrary<Make> = fc
  .tuple(fc.nat({ max: 5 }), edits, shape, cuts, ownHeaders)
  .map(([which, changes, reshape, byteChanges, header]): Make => (subject) => {
    const valid = validRequests(subject)[which] as Valid;
    const members = changes.reduce<Members>(
      (so, change) => (so.length === 0 ? so : change(so)),
      valid.members,
    );
    const text = `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`;
    const body = byteChanges.reduce<Buffer>(
      (bytes, change) => change(bytes),
      Buffer.from(reshape?.(text) ?? text),
    );
    const headers = {
      authorization: `Bearer ${subject.token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    };
    return {
      method: valid.method,
      path: valid.path,
      headers: { ...headers, ...(header ? { [header[0]]: header[1] } : {}) },
      body,
    };
  });
