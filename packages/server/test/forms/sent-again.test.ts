// Every form that is refused for a moment: the answer has what was typed, says when to try again, and the form is sent later.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from '../faults/scenario.ts';
import type { TestServer } from '../harness.ts';
import { startLimitedServer } from '../limits-file.ts';
import { send, sendingOf } from './disguises.ts';
import type { Answer } from './disguises.ts';
import { settle } from './people.ts';
import type { Inhabited } from './people.ts';
import { encodePairs, filledIn, formsIn } from './shown-forms.ts';
import type { Pairs } from './shown-forms.ts';
import { formsOf, walk } from './walk.ts';
import type { MetForm } from './walk.ts';

const writes = 150;

let server: TestServer;
let people: Inhabited;
let shown: readonly MetForm[];
before(async () => {
  const plenty = 1_000_000;
  server = await startLimitedServer({
    rates: {
      reads_per_minute: plenty,
      writes_per_minute: writes,
      registrations_per_hour: plenty,
      anonymous_reports_per_hour: 1,
    },
  });
  people = await settle(server);
  const { starts, browser } = people;
  const pages = await walk({ server, fetch: browser.page, starts, ofKind: 1 });
  shown = [...new Map(formsOf(pages).map((one) => [`${one.pattern} ${one.name}`, one])).values()];
});
after(() => server[Symbol.asyncDispose]());

const typed = '  first line\n\n\t<b>"second" & \'third\'</b>\n</textarea>  e\u0301\u{1F600}\n';

/** What a person sends who typed something into each text area. */
function typedInto({ form }: MetForm): Pairs {
  const areas = new Set(form.fields.flatMap(({ tag, name }) => (tag === 'textarea' ? name : [])));
  return filledIn(form).map(([name, value]) =>
    areas.has(name) ? ([name, typed] as const) : ([name, value] as const),
  );
}

const placeOf = ({ pattern, name }: MetForm) => `${pattern} ${name}`;

function sendAs(form: MetForm, pairs: Pairs): Promise<Answer> {
  const body = encodePairs(pairs.map(([name, value]) => [name, value.replaceAll('\n', '\r\n')]));
  return send(server, people.browser.cookie(), { ...sendingOf(form), body });
}

/** What the form of an answer sends, with the browser’s line breaks as the service reads them. */
function pairsOfAnswer({ text }: Answer, { name }: MetForm): Pairs {
  const again = formsIn(text).find(({ action }) => action.includes(`form=${name}`));
  assert.ok(again, text);
  return again.fields.flatMap((one) => (one.isSent ? [[one.name ?? '', one.value] as const] : []));
}

// First: the others use up what may be sent in a minute.
test('413 beyond the bytes of a form: the form with what was typed, and how much is accepted', async () => {
  const comment = shown.find(({ name }) => name === 'comment');
  assert.ok(comment);
  const long = typed.repeat(2_000);
  const pairs = filledIn(comment.form).map(([name, value]) =>
    name === 'comment' ? ([name, long] as const) : ([name, value] as const),
  );
  const answer = await sendAs(comment, pairs);
  assert.equal(answer.status, 413);
  assert.match(answer.text, /longer than \d+ KB/);
  assert.equal(new Map(pairsOfAnswer(answer, comment)).get('comment'), long);
});

/** It counts against a read, and so against the limit of reads. */
const reading = '/moderation/audit check';

/** Uses up the writes of a minute. */
async function useUpWrites(): Promise<void> {
  for (let sent = 0; sent < 2 * writes; sent += 1) {
    const { status } = await people.browser.ask('POST', '/-/v1/follows', { body: {} });
    if (status === 429) return;
  }
  assert.fail('The limit was never met.');
}

/** Sends the form when the limit is used up; again if there was room for one more by then. */
async function refusedBeyondLimit(form: MetForm, pairs: Pairs): Promise<Answer> {
  for (let attempts = 0; attempts < 20; attempts += 1) {
    await useUpWrites();
    const answer = await sendAs(form, pairs);
    if (answer.status === 429) return answer;
  }
  return assert.fail(`${placeOf(form)} never met the limit.`);
}

/** The time and words of the answer to a form that can be sent as it is. */
function assertForLater(answer: Answer, form: MetForm, pairs: Pairs): void {
  const place = placeOf(form);
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/, place);
  assert.match(answer.text, /role="alert">[^<]*Try again in \d+ (?:second|minute|hour)/, place);
  assert.deepEqual(pairsOfAnswer(answer, form), pairs, place);
}

test('429 beyond the short-window limit, at every form: all that was typed, the same key, and when to try again', async () => {
  for (const form of shown.filter((one) => placeOf(one) !== reading)) {
    const pairs = typedInto(form);
    assertForLater(await refusedBeyondLimit(form, pairs), form, pairs);
  }
});

test('429 to a script is the problem, whose words say when to try again', async () => {
  const [form] = shown;
  assert.ok(form);
  const sending = sendingOf(form);
  const headers = { ...sending.headers, accept: 'application/json' };
  const cookie = people.browser.cookie();
  let { status, text } = await send(server, cookie, { ...sending, headers });
  for (let attempts = 0; status !== 429 && attempts < 20; attempts += 1) {
    await useUpWrites();
    ({ status, text } = await send(server, cookie, { ...sending, headers }));
  }
  assert.equal(status, 429);
  assert.match(JSON.parse(text).detail, /Try again in \d+ second/);
});

test('503 while the database does not answer, at every form: all that was typed, and when to try again', async () => {
  const [holder, observer] = [await connect(server), await connect(server)];
  await holder.query('begin; lock table sessions in access exclusive mode');
  const sent = shown.map((form) => ({ form, pairs: typedInto(form) }));
  let isOver = false;
  const all = Promise.all(sent.map(({ form, pairs }) => sendAs(form, pairs))).finally(() => {
    isOver = true;
  });
  // As the time-out does, which comes after seconds. A transaction sees the activity of its first look only.
  while (!isOver) {
    await observer.query(
      "select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    await wait(10);
  }
  const answers = await all;
  await holder.query('rollback');
  await Promise.all([holder.end(), observer.end()]);
  for (const [at, { form, pairs }] of sent.entries()) {
    const answer = answers[at];
    assert.ok(answer);
    assert.equal(answer.status, 503, placeOf(form));
    assertForLater(answer, form, pairs);
  }
});
