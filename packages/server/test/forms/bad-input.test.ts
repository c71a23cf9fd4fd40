// Every form with what no page sends: the answer is a page that says what to do, with what was typed; never a 500.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ceremonies, operations } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import { sql } from '#database';
import { bucketOf } from '#lib/id';
import { forms } from '../../src/web/forms/index.ts';
import { drawSample } from '../faults/sampled.ts';
import { seed } from '../seed.ts';
import { startServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { send, sendingOf } from './disguises.ts';
import type { Answer } from './disguises.ts';
import { settle } from './people.ts';
import type { Inhabited } from './people.ts';
import { openRows } from './rows.ts';
import type { Rows } from './rows.ts';
import { encodePairs, filledIn, formsIn } from './shown-forms.ts';
import type { Pairs } from './shown-forms.ts';
import { formsOf, walk } from './walk.ts';
import type { MetForm } from './walk.ts';

let server: TestServer;
let people: Inhabited;
let rows: Rows;
let shown: readonly MetForm[];
before(async () => {
  server = await startServer();
  people = await settle(server);
  rows = await openRows(server);
  const { starts, browser } = people;
  const pages = await walk({ server, fetch: browser.page, starts, ofKind: 1 });
  shown = [...new Map(formsOf(pages).map((one) => [`${one.pattern} ${one.name}`, one])).values()];
});
after(async () => {
  await rows[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

interface Mutant {
  readonly form: MetForm;
  readonly what: string;
  /** As it is sent: encoded. */
  readonly body: string;
}

/** Values as they are sent in a body, encoded. */
const odd: Readonly<Record<string, string>> = {
  nothing: '',
  spaces: '+++',
  'a NUL': 'a%00b',
  'a lone surrogate': 'a%ED%A0%80b',
  'half a character': '%F0%9F',
  'no hexadecimal': '%zz%',
  'an unknown id': '01M7Z3KJBG7YHCVKQDVW6J2001',
  'a path': '..%2F..%2Fetc%2Fpasswd',
  'an overlong value': 'x'.repeat(20_000),
  'a number': '-1e999',
  prototype: '__proto__',
  'characters that turn the line': '%E2%80%AEabc%E2%80%8B',
  html: '%3C%2Ftextarea%3E%3Cscript%3Ex%3C%2Fscript%3E%22%27',
  'a date that does not exist': '2026-02-31',
};

const without = (pairs: Pairs, name: string) => pairs.filter(([one]) => one !== name);

/** Moderators and administrators act on what others own. */
const isOfModerators = ({ pattern }: MetForm) => pattern.startsWith('/moderation');

function mutantsOf(form: MetForm, foreignIds: Readonly<Record<string, string>>): Mutant[] {
  const pairs = filledIn(form.form);
  const names = [...new Set(pairs.map(([name]) => name))];
  const own = (what: string, body: string): Mutant => ({ form, what, body });
  const perField = names.flatMap((name) => [
    own(`without ${name}`, encodePairs(without(pairs, name))),
    own(`${name} twice`, encodePairs([...pairs, [name, 'again']])),
    ...Object.entries({ ...odd, ...(isOfModerators(form) ? {} : foreignIds) }).map(
      ([what, value]) =>
        own(`${name}: ${what}`, `${encodePairs(without(pairs, name))}&${name}=${value}`),
    ),
  ]);
  const many = Array.from({ length: 5_000 }, (_, at) => `f${at}=x`).join('&');
  return [
    ...perField,
    own('no fields', ''),
    own('5,000 fields', `${encodePairs(pairs)}&${many}`),
    own(
      'unknown fields',
      `${encodePairs(pairs)}&admin=true&__proto__=x&constructor=x&trust_level=3`,
    ),
    own(
      '5,000 times one field',
      `${encodePairs(pairs)}${`&${names.at(-1) ?? 'x'}=x`.repeat(5_000)}`,
    ),
    own('only separators', '&&&===&=&'),
    own('bytes that are not text', Buffer.from([0xff, 0xfe, 0x00, 0x3d]).toString('latin1')),
  ];
}

function sendMutant(
  { form, body }: Pick<Mutant, 'form' | 'body'>,
  cookie = people.browser.cookie(),
) {
  return send(server, cookie, { ...sendingOf(form), body });
}

/** Returns the fields of a refused form that say what is wrong with them, but do not get the focus. */
function withoutFocus(text: string): readonly string[] {
  const said = Array.from(
    text.matchAll(/class="fault" id="([\w-]+)-fault"[^>]*>[^<]/g),
    ([, id]) => id,
  );
  const fields = formsIn(text)
    .flatMap((form) => form.fields)
    .filter(({ name, type }) => type !== 'hidden' && said.includes(name));
  const isFocused = fields.some(({ attributes }) => 'autofocus' in attributes);
  return fields.length === 0 || isFocused ? [] : [`no focus on ${said.join(', ')}`];
}

/** Returns what is wrong with an answer. */
function faultsOf({ status, text, headers }: Answer): readonly string[] {
  if (status === 303 || status === 201) return [];
  // The field that names the account of the page had another value.
  const isOfAnother = status === 401 && text.includes('Another account is signed in');
  const isKnown = isOfAnother || [400, 403, 404, 409, 410, 412, 413, 422, 429].includes(status);
  const type = headers.get('content-type') ?? '';
  const says = /class="fault"[^>]*>[^<]{8,}|<h1>[^<]+<\/h1>/.test(text);
  return [
    ...(isKnown ? [] : [`status ${status}`]),
    ...(type.startsWith('text/html') ? [] : [type]),
    ...(says ? [] : ['says nothing']),
    ...(text.includes('<script>x') ? ['not escaped'] : []),
    ...withoutFocus(text),
  ];
}

async function idsOfOthers(): Promise<Readonly<Record<string, string>>> {
  const { other } = people;
  const draft = await server.draft(other, { title: 'A draft of somebody else' });
  const issued = await server.db.first(sql<{ id: string }>`
    select id from tokens where bucket = ${bucketOf(other.id)} and principal_id = ${other.id} limit 1`);
  return {
    'the account of somebody else': other.id,
    'a draft of somebody else': draft.id,
    'a token of somebody else': issued?.id ?? '',
  };
}

/** The last use of a token is recorded some time after it: it does not count as a change. */
async function stateOf(id: string): Promise<unknown> {
  const bucket = bucketOf(id);
  return server.db.rows(sql`
    select row_to_json(p) as principal, (select json_agg(to_jsonb(t) - 'last_used_at' order by t.id) from tokens t
      where t.bucket = p.bucket and t.principal_id = p.id) as tokens
    from principals p where p.bucket = ${bucket} and p.id = ${id}`);
}

const typed =
  '  first line\r\n\r\n\t<b>"second" & \'third\'</b>\r\n</textarea>  e\u0301\u{1F600}\r\n';

/** Fills the fields of a form so that it is refused, and returns what was typed into its text areas. */
function hostileTo({ form }: MetForm): {
  readonly body: string;
  readonly areas: readonly string[];
} {
  const areas = form.fields.flatMap(({ type, name }) =>
    type === 'textarea' && name !== undefined ? [name] : [],
  );
  const pairs = filledIn(form).map(([name, value]) =>
    areas.includes(name) ? ([name, typed] as const) : ([name, value] as const),
  );
  return { body: encodePairs(pairs), areas };
}

async function suspend(isSuspended: boolean): Promise<void> {
  const { id } = people.person;
  const status = isSuspended ? 'suspended' : 'active';
  await server.db.transaction((tx) =>
    tx.run(sql`
      update principals set status = ${status} where bucket = ${bucketOf(id)} and id = ${id}`),
  );
}

/** Whether the suspended may send it too. */
function isForSuspended({ pattern, name }: MetForm): boolean {
  const form = forms[pattern]?.[name];
  const all: Readonly<Record<string, AnyOperation>> = { ...operations, ...ceremonies };
  return form?.isOpen === true || all[form?.operation ?? '']?.suspendedToo === true;
}

test('a suspended account, at every form: refused in words, nothing changes, what was typed comes back', async (t) => {
  await suspend(true);
  const state = await rows.state();
  let compared = 0;
  for (const form of shown) {
    const place = `${form.pattern} ${form.name}`;
    if (isForSuspended(form)) continue;
    const { body, areas } = hostileTo(form);
    const { status, text } = await sendMutant({ form, body });
    assert.equal(status, 403, place);
    assert.match(text, /Your account is suspended: you can read, but/, place);
    const same = formsIn(text).find(({ action }) => action.includes(`form=${form.name}`));
    for (const name of areas) {
      const field = same?.fields.find((one) => one.name === name);
      assert.equal(field?.value, typed.replaceAll('\r\n', '\n'), `${place}: ${name}`);
      compared += 1;
    }
  }
  assert.deepEqual(await rows.state(), state);
  await suspend(false);
  t.diagnostic(`${compared} text areas came back byte for byte`);
});

test('a closed account, at every form: sign in again, nothing changes, what was typed comes back', async () => {
  const { id } = people.person;
  const setClosed = (status: string) =>
    server.db.transaction((tx) =>
      tx.run(sql`
        update principals set status = ${status}, closed_at = null
        where bucket = ${bucketOf(id)} and id = ${id}`),
    );
  await setClosed('closed');
  const state = await rows.state();
  for (const form of shown) {
    const place = `${form.pattern} ${form.name}`;
    if (forms[form.pattern]?.[form.name]?.isOpen === true) continue;
    const { body, areas } = hostileTo(form);
    const { status, text } = await sendMutant({ form, body });
    assert.equal(status, 401, place);
    assert.match(text, /<h1>Sign in again<\/h1>/, place);
    const [same] = formsIn(text);
    for (const name of areas) {
      const field = same?.fields.find((one) => one.name === name);
      assert.equal(field?.value, typed.replaceAll('\r\n', '\n'), `${place}: ${name}`);
    }
  }
  assert.deepEqual(await rows.state(), state);
  await setClosed('active');
});

test('every field that is seen has a place beside it for what is wrong', async () => {
  const without: string[] = [];
  for (const { pattern, name, path, form } of shown) {
    const { text } = await people.browser.page(path);
    // A page has several of a form that is about an item: there the form itself says it. A single tick has no fault.
    if (form.fields.some((one) => one.name === 'item')) continue;
    const names = form.fields.flatMap(({ name: field, type, tag, value }) => {
      const isSeen = type !== 'hidden' && tag !== 'button' && value !== 'true';
      return isSeen && field !== undefined ? field : [];
    });
    const missing = new Set(names.filter((field) => !text.includes(`id="${field}-fault"`)));
    without.push(...[...missing].map((field) => `${pattern} ${name}: ${field}`));
  }
  assert.deepEqual(without, []);
});

// Last: some of the bodies are accepted, and delete what the other tests show.
test('every field of every form, missing, twice, odd, of somebody else: a page that says what to do', async (t) => {
  const foreignIds = await idsOfOthers();
  const { id, token } = people.other;
  // The pages of a form may show what somebody else owns, but never change it.
  const before = await stateOf(id);
  const all = shown.flatMap((form) => mutantsOf(form, foreignIds));
  const list = drawSample(all, 250);
  const found: string[] = [];
  for (const mutant of list) {
    const faults = faultsOf(await sendMutant(mutant));
    const { pattern, name } = mutant.form;
    found.push(...faults.map((fault) => `${pattern} ${name}, ${mutant.what}: ${fault}`));
  }
  assert.deepEqual(found, [], `SEED=${seed}`);
  assert.deepEqual(await stateOf(id), before, `somebody else was changed: SEED=${seed}`);
  const drafts = await server.ask('GET', `/v1/articles/${foreignIds['a draft of somebody else']}`, {
    token,
  });
  assert.equal(drafts.status, 200);
  t.diagnostic(`${list.length} of ${all.length} bodies to ${shown.length} forms, SEED=${seed}`);
});
