// Long forms, and forms of many fields: how much is read of whom, what comes back, and how long a turn of the event loop takes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mintSecret } from '#lib/bucket-secret';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { leastTurn, slowness } from '#test/longest-turn';
import { openBrowser } from '#test/web-session';
import type { TestBrowser } from '#test/web-session';
import { formPieces } from '../../src/http/input/form.ts';
import { formsIn } from './shown-forms.ts';

const MiB = 1024 * 1024;

let server: TestServer;
let browser: TestBrowser;
let stranger: TestBrowser;
/** The cookie of a session that has ended. */
const ended = { cookie: `colophon_session=${mintSecret(7).text}` };
before(async () => {
  // Nothing here depends on the pipeline.
  server = await startServer({ ROLE: 'web' });
  browser = openBrowser(server);
  stranger = openBrowser(server);
  await browser.join();
});
after(() => server[Symbol.asyncDispose]());

const slow = slowness();

const saving = '/write?form=save';
const reporting = '/report?type=article&id=01M7Z3KJBG7YHCVKQDVW6J2001&form=report';

/** Asserts that no turn takes so many milliseconds of processor time. The bytes alone are read. */
async function assertShortTurns(
  path: string,
  own: RequestInit,
  mostMs: number,
  what = path,
): Promise<void> {
  const turn = await leastTurn(mostMs, async () => {
    const answer = await fetch(server.baseUrl + path, { ...own, redirect: 'manual' });
    await answer.arrayBuffer();
  });
  assert.ok(turn < mostMs, `${what}: ${turn} ms`);
}

function requestOf(body: string, cookie: string | undefined): RequestInit {
  const type = 'application/x-www-form-urlencoded';
  return {
    method: 'POST',
    body: Buffer.from(body),
    headers: {
      'content-type': type,
      accept: 'text/html',
      'accept-encoding': 'identity',
      origin: server.baseUrl,
      ...(cookie === undefined ? {} : { cookie }),
    },
  };
}

const parse = (text: string) => {
  const pieces = formPieces(Buffer.from(text, 'latin1'));
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return Array.from(value);
  }
};

test('fields are parsed as the platform parses them, except for the ends of lines', () => {
  const long = `${'%E2%80%B9'.repeat(20_000)}%`;
  const odd =
    '  & &&a=b&& a = =a a==b a=b=c a+b=%2B+%20 a=% a=%4 a=%4g a=%zz%41 a=%E2%80 a=%ff%fe a=%EF%BB%BFb %00=%00 a=%ED%A0%80 a=%0D%0d';
  const bodies = [
    ...odd.split(' '),
    `a=x${long}&${long}=b`,
    `a=${'x'.repeat(32 * 1024 - 1)}%F0%9F%98%80`,
  ];
  for (const body of bodies) assert.deepEqual(parse(body), Array.from(new URLSearchParams(body)));
  assert.deepEqual(parse('a=%0D%0A%0D%0D%0A%0A%0D'), [['a', '\n\r\n\n\r']]);
  const atTheEnd = 'x'.repeat(32 * 1024 - 1);
  assert.deepEqual(parse(`a=${atTheEnd}%0D%0Ay`), [['a', `${atTheEnd}\ny`]]);
});

test('400 for more than 200 fields, in words, before anything is parsed', async () => {
  for (const [sender, path, count] of [
    [stranger, reporting, 200],
    [stranger, saving, 30_000],
    [browser, saving, 1_800_000],
    [browser, '/settings?form=profile', 200],
  ] as const) {
    const { status, text } = await sender.sendForm(path, 'a&'.repeat(count));
    assert.equal(status, 400, path);
    assert.match(text, /<p>A form has at most 200 fields\. Open its page again/);
  }
  const { text } = await stranger.sendForm(reporting, `${'a=b&'.repeat(199)}a`);
  assert.doesNotMatch(text, /at most 200 fields/);
  await assertShortTurns(saving, requestOf('a&'.repeat(1_800_000), browser.cookie()), 50 * slow);
});

test('413 for more than 64 KiB of somebody without a session', async () => {
  const body = `content=${'x'.repeat(64 * 1024)}`;
  for (const path of [saving, reporting])
    for (const headers of [{}, { cookie: 'colophon_session=x' }]) {
      const { status, text } = await stranger.sendForm(path, body, headers);
      assert.equal(status, 413, path);
      assert.match(text, /Go back: your browser still has what you typed/);
    }
  assert.equal((await stranger.sendForm(saving, 'content=My+words')).status, 401);
});

test('401 when the session has ended: the whole text once, to be sent again', async () => {
  const content = `\n<${'‹&"\n'.repeat(MiB / 8)}>`;
  const body = new URLSearchParams({ key: 'the-same-key-again', title: 'A title', content });
  const { status, text } = await stranger.sendForm(saving, body.toString(), ended);
  assert.equal(status, 401);
  const [form] = formsIn(text).filter(({ action }) => action.includes('form=save'));
  const sent = form?.fields.flatMap((one) => (one.isSent ? [[one.name, one.value]] : []));
  assert.deepEqual(sent, Array.from(body));
  assert.ok(text.length < content.length * 4, 'once');
});

test('no long turn of the event loop for the text of a form that is shown again', async () => {
  const body = (content: string) => `key=key-of-a-long-form&title=a&content=${content}`;
  const bodies = {
    'a session that has ended': [body('<'.repeat(3.4 * MiB)), ended.cookie],
    'many fields': [`b=${'<'.repeat(60_000)}&`.repeat(50), ended.cookie],
    'a text that is too long': [body('<'.repeat(1.5 * MiB)), browser.cookie()],
    'a long name': [`${'<'.repeat(3 * MiB)}=a`, ended.cookie],
    'a long key': [`content=a&key=${'<'.repeat(3 * MiB)}`, browser.cookie()],
  } as const;
  for (const [name, [text, cookie]] of Object.entries(bodies)) {
    await assertShortTurns(saving, requestOf(text, cookie), 100 * slow, name);
  }
});

test('no long turn of the event loop for an editor with a long text', async () => {
  const key = (at: number) => `key-of-the-long-draft-${at}`;
  for (const [at, unit] of ['<', '"&'].entries()) {
    const content = unit.repeat(MiB / unit.length);
    const fields = new URLSearchParams({ key: key(at), title: 'a', content });
    const made = await browser.sendForm(saving, fields.toString());
    assert.equal(made.status, 303);
    const path = new URL(made.headers.get('location') ?? '', server.baseUrl).pathname;
    const headers = { cookie: browser.cookie() ?? '', 'accept-encoding': 'identity' };
    await assertShortTurns(path, { headers }, 50 * slow, unit);
    const stale = `revision=01M7Z3KJBG7YHCVKQDVW6J2001&${fields}`.replace('key=', 'key=other-');
    const refused = await browser.sendForm(`${path}?form=save`, stale);
    assert.equal(refused.status, 412);
    assert.match(refused.text, /This article was changed elsewhere/);
    const again = requestOf(stale, browser.cookie());
    await assertShortTurns(`${path}?form=save`, again, 80 * slow, `${unit}, 412`);
  }
});
