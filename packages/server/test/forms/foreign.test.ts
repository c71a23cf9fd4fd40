// Every form, ceremony and operation of a session, sent as another site or another program sends it: nothing changes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ceremonyList, operationList } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import { forms } from '../../src/web/forms/index.ts';
import { dealInTurn } from '../faults/sampled.ts';
import { startServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { settle } from './people.ts';
import type { Inhabited } from './people.ts';
import { openRows } from './rows.ts';
import type { Rows } from './rows.ts';
import { encodePairs, filledIn } from './shown-forms.ts';
import { fromElsewhere, otherCredentials, otherTypes, send, sendingOf } from './disguises.ts';
import type { Answer, Disguise, Sending } from './disguises.ts';
import { formsOf, patternOf, walk } from './walk.ts';
import type { MetForm } from './walk.ts';

let server: TestServer;
let people: Inhabited;
let rows: Rows;
/** One of each form, as its page shows it. */
let shown: ReadonlyMap<string, MetForm>;
before(async () => {
  server = await startServer();
  people = await settle(server);
  rows = await openRows(server);
  const pages = await walk({
    server,
    fetch: people.browser.page,
    starts: people.starts,
    ofKind: 1,
  });
  shown = new Map(formsOf(pages).map((one) => [`${one.pattern} ${one.name}`, one]));
});
after(async () => {
  await rows[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const anId = '01M7Z3KJBG7YHCVKQDVW6J2001';

function sendingOfOperation(operation: AnyOperation, below: string): Sending {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'id' && operation.path.startsWith('/v1/principals') ? people.person.id : anId,
  );
  return {
    what: `${operation.method} ${below}${operation.path}`,
    path: below + path,
    method: operation.method,
    body: operation.body === undefined ? undefined : '{}',
    isOpen: operation.access === 'public',
    headers: {
      'idempotency-key': crypto.randomUUID(),
      ...(operation.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  };
}

const notBelow = new Set(['registerHuman', 'createWebLink']);
const sendDisguised = (sending: Sending, disguise?: Disguise): Promise<Answer> =>
  send(server, people.browser.cookie(), sending, disguise);
const others = () => otherCredentials(people.browser.cookie(), people.person.token);

const everyForm = () => [...shown.values()].map(sendingOf);
const everyWrite = () => [
  ...operationList
    .filter(({ name, method }) => method !== 'GET' && !notBelow.has(name))
    .map((one) => sendingOfOperation(one, '/-')),
  ...ceremonyList
    .filter(({ method }) => method !== 'GET')
    .map((one) => sendingOfOperation(one, '')),
];

/** Sends each request in each disguise, and compares the database before and after all of them. */
async function refusedEach(
  sendings: readonly Sending[],
  disguises: Readonly<Record<string, Disguise>>,
  check: (answer: Answer, place: string, sending: Sending) => void,
): Promise<void> {
  const state = await rows.state();
  for (const sending of sendings) {
    const answers = Object.entries(disguises).map(async ([disguise, headers]) => {
      check(await sendDisguised(sending, headers), `${sending.what}: ${disguise}`, sending);
    });
    await Promise.all(answers);
  }
  assert.deepEqual(await rows.state(), state, 'something was changed');
}

test('every form that is declared is shown by a page that links lead to', () => {
  const declared = Object.entries(forms).flatMap(([path, own]) =>
    Object.keys(own).map((name) => `${path} ${name}`),
  );
  assert.deepEqual(
    declared.filter((name) => !shown.has(name)),
    [],
    'no page of the walk shows it: let a page link to it, or add its address to test/forms/people.ts',
  );
  const unknown = [...shown.keys()].filter((name) => !declared.includes(name));
  assert.deepEqual(unknown, [], 'a page shows a form that nothing answers');
});

test('every form, from a page of another site: 403, and nothing changes', async () => {
  await refusedEach(everyForm(), fromElsewhere(server), ({ status, headers }, place) => {
    assert.equal(status, 403, place);
    assert.equal(headers.get('location'), null, place);
    assert.equal(headers.get('set-cookie'), null, place);
  });
});

test('every operation and ceremony of a session, from another site: 403, and nothing changes', async () => {
  await refusedEach(everyWrite(), fromElsewhere(server), ({ status, headers }, place) => {
    assert.equal(status, 403, place);
    assert.match(headers.get('content-type') ?? '', /problem\+json/, place);
    assert.equal(headers.get('set-cookie'), null, place);
  });
});

test('every form, with another credential than a session: sign in again, with what was typed', async () => {
  const guarded = everyForm().filter(({ isOpen }) => !isOpen);
  await refusedEach(guarded, others(), ({ status, text }, place) => {
    assert.equal(status, 401, place);
    assert.match(text, /<h1>Sign in again<\/h1>/, place);
    assert.doesNotMatch(text, /clps?_/, `${place}: no secret`);
  });
});

test('every operation and ceremony of a session, with another credential: 401, nothing changes', async () => {
  const guarded = everyWrite().filter(({ isOpen }) => !isOpen);
  await refusedEach(guarded, others(), ({ status }, place) => {
    assert.equal(status, 401, place);
  });
});

test('every form, as another type of content: 400, and nothing changes', async () => {
  await refusedEach(everyForm(), otherTypes, ({ status }, place) => {
    assert.ok([400, 415].includes(status), `${place}: ${status}`);
  });
});

test('every operation with a body, as a form or as plain text: refused, and nothing changes', async () => {
  const { json: _, ...types } = otherTypes;
  const all = { ...types, form: { 'content-type': 'application/x-www-form-urlencoded' } };
  const withBody = everyWrite().filter(({ body }) => body !== undefined);
  const sendings = withBody.map((sending) => ({ ...sending, body: 'a=b' }));
  await refusedEach(sendings, all, ({ status }, place) => {
    assert.ok(status >= 400 && status < 500, `${place}: ${status}`);
  });
});

test('GET in place of POST acts on nothing', async () => {
  const state = await rows.state();
  for (const { action, pattern, form } of shown.values()) {
    const separator = action.includes('?') ? '&' : '?';
    const { status, text } = await people.browser.page(
      `${action}${separator}${encodePairs(filledIn(form))}`,
    );
    assert.ok(status < 500, `${pattern}: ${status}`);
    assert.doesNotMatch(text, /clps?_[0-9A-Za-z]{20}/, pattern);
  }
  const methods = dealInTurn(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'], 2);
  for (const sending of everyForm()) {
    for (const method of methods()) {
      const { status } = await sendDisguised({ ...sending, method, body: undefined }, {});
      assert.ok(status < 500, `${method} ${sending.what}: ${status}`);
    }
  }
  assert.deepEqual(await rows.state(), state);
});

test('a token and a session together: the session acts', async () => {
  const { token } = people.other;
  const me = await people.browser.ask('GET', '/-/v1/me', { token });
  assert.equal(me.body.principal.id, people.person.id);
});

/** What takes other things away comes last. */
const order = ({ pattern, name }: MetForm) =>
  Number(/delete|erase|revoke|close|end/i.test(forms[pattern]?.[name]?.operation ?? ''));

test('the same requests from their own pages pass the door: the tests above compare what would change', async (t) => {
  const changed: string[] = [];
  const sorted = [...shown.values()].toSorted((one, other) => order(one) - order(other));
  for (const one of sorted) {
    const before = await rows.state();
    const { status, text } = await sendDisguised(sendingOf(one), {});
    const place = `${one.pattern} ${one.name}: ${status}`;
    assert.ok([303, 201, 400, 404, 409, 422].includes(status), `${place} ${text.slice(0, 2_000)}`);
    const now = await rows.state();
    if (Object.entries(now).some(([table, state]) => before[table] !== state)) changed.push(place);
    else t.diagnostic(`nothing changed by ${place}`);
  }
  t.diagnostic(`${changed.length} of ${sorted.length} forms changed something`);
  assert.ok(changed.length >= sorted.length * 0.7, changed.join('\n'));
});

test('the pattern of a path', () => {
  assert.equal(patternOf('/@ada/text-01'), '/@{username}/{place}');
  assert.equal(patternOf('/feed.atom'), '/feed.atom');
  assert.equal(patternOf('/v1/articles'), undefined);
});
