// Every form in a real browser: a session that ended asks to sign in and goes on, a fault is beside its field and focused.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page, Route } from 'playwright-core';
import { settle } from '#test/forms/people';
import type { Inhabited } from '#test/forms/people';
import { formsOf, walk } from '#test/forms/walk';
import type { MetForm } from '#test/forms/walk';
import { startServer } from '#test/harness';
import type { TestServer } from '#test/harness';
import { forms } from '../../src/web/forms/index.ts';
import { drawSample } from '../faults/sampled.ts';
import { seed } from '../seed.ts';
import { noBrowser, openBrowser } from './browser.ts';
import { addAuthenticator } from './people.ts';

const options = { skip: noBrowser };

let server: TestServer;
let people: Inhabited;
/** One of each form that a script sends; the editor has a test of its own. */
let shown: readonly MetForm[];
before(async () => {
  if (noBrowser !== false) return;
  server = await startServer({ BASE_URL: 'http://localhost:{port}' });
  people = await settle(server);
  const { starts, browser } = people;
  const pages = await walk({ server, fetch: browser.page, starts, ofKind: 1 });
  const all = formsOf(pages).filter(({ form }) => 'data-live' in form.attributes);
  shown = [...new Map(all.map((one) => [placeOf(one), one])).values()];
});
after(() => server?.[Symbol.asyncDispose]());

const placeOf = ({ pattern, name }: MetForm) => `${pattern} ${name}`;

interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Signs in again as if on another page, or ends the session as if it were signed out elsewhere. */
  setSession(isSignedIn: boolean): Promise<void>;
}

/** Opens a browser with the session and the passkey of the person. */
async function visit(): Promise<Visit> {
  const browser = await openBrowser();
  const context = await browser.newContext({ baseURL: server.baseUrl });
  const page = await context.newPage();
  await addAuthenticator(page, people.joined.passkey.toDevTools());
  const [name = '', value = ''] = (people.browser.cookie() ?? '').split('=');
  const setSession = async (isSignedIn: boolean) => {
    await context.clearCookies();
    if (isSignedIn) await context.addCookies([{ name, value, url: server.baseUrl }]);
  };
  await setSession(true);
  return { page, setSession, [Symbol.asyncDispose]: () => browser.close() };
}

const formOf = (page: Page, { name, action }: MetForm): Locator =>
  page
    .locator(`form[data-live][action$="${action.slice(action.indexOf('?'))}"]`, {
      has: page.locator(`xpath=self::form[contains(@action, "form=${name}")]`),
    })
    .first();

const texts = ':is(textarea, input:not([type]), input[type="text"], input[type="url"])';

/** Opens the page of a form, unfolds what it is in, and types a word into each of its fields for text. */
async function fill(page: Page, met: MetForm): Promise<Locator> {
  await page.goto(met.path);
  const form = formOf(page, met);
  await form.evaluate((element) => {
    for (let at = element.parentElement; at !== null; at = at.parentElement)
      if (at instanceof HTMLDetailsElement) at.open = true;
  });
  for (const field of await form.locator(texts).all())
    if (await field.isVisible()) await field.fill('typed');
  return form;
}

/** Presses the button of a form, past what the browser itself would complain about. */
async function press(form: Locator): Promise<void> {
  await form.evaluate((element) => {
    if (element instanceof HTMLFormElement) element.noValidate = true;
  });
  await form.locator('button:not([type="button"])').first().click();
}

const typedIn = (form: Locator) =>
  form
    .locator(texts)
    .evaluateAll((fields) =>
      fields.filter((one) => one.checkVisibility()).map((one) => ('value' in one ? one.value : '')),
    );

/** Answers every form, so that none has an effect; returns the bodies that were sent. */
async function answerForms(page: Page, answer: (route: Route, count: number) => Promise<void>) {
  const bodies: string[] = [];
  await page.route(/[?&]form=/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    bodies.push(route.request().postData() ?? '');
    return answer(route, bodies.length);
  });
  return bodies;
}

test(
  'a session that ended, at every form: a dialog, nothing that was typed is lost, and the form goes on',
  options,
  async (t) => {
    await using own = await visit();
    const { page, setSession } = own;
    const guarded = shown.filter(({ pattern, name }) => forms[pattern]?.[name]?.isOpen !== true);
    const list = drawSample(guarded, 6, 'ended');
    for (const met of list) {
      const place = `${placeOf(met)}, SEED=${seed}`;
      await page.unrouteAll();
      await setSession(true);
      const form = await fill(page, met);
      const typed = await typedIn(form);
      const bodies = await answerForms(page, (route, count) =>
        // The last one would have effects: it is stopped here.
        count < 3 ? route.continue() : route.fulfill({ status: 500, body: '{}' }),
      );
      await setSession(false);
      await press(form);
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.getByRole('button', { name: 'Not now' }).click();
      await form.locator('[role="alert"]').getByText('Sign in, then try again').waitFor();
      assert.deepEqual(await typedIn(form), typed, place);
      await press(form);
      await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await form.locator('[role="alert"]').getByText('did not answer').waitFor();
      assert.equal(bodies.length, 3, place);
      assert.equal(new Set(bodies).size, 1, `${place}: the same form with the same key`);
      assert.deepEqual(await typedIn(form), typed, place);
    }
    t.diagnostic(`${list.length} of ${guarded.length} forms`);
  },
);

test(
  'a fault of every field of every form: beside the field, which has the focus and what was typed',
  options,
  async (t) => {
    await using own = await visit();
    const { page } = own;
    let field = '';
    await answerForms(page, (route) => {
      const errors = [{ pointer: `/${field}`, code: 'field', detail: 'is odd' }];
      const body = JSON.stringify({ detail: 'The form is refused.', errors });
      return route.fulfill({ status: 422, contentType: 'application/problem+json', body });
    });
    let compared = 0;
    for (const met of drawSample(shown, 6, 'faults')) {
      const form = await fill(page, met);
      const typed = await typedIn(form);
      // Those that belong to another form stand in this one too.
      const names = await form.evaluate((element) =>
        Array.from(element instanceof HTMLFormElement ? element.elements : []).flatMap((one) =>
          one.checkVisibility() && !one.matches('button') ? (one.getAttribute('name') ?? []) : [],
        ),
      );
      for (const name of new Set(names)) {
        const place = `${placeOf(met)}: ${name}, SEED=${seed}`;
        field = name;
        await press(form);
        await form
          .locator(`#${name}-fault, [role="alert"]`)
          .getByText(/is odd\.$/)
          .waitFor();
        const focused = await page.evaluate(() => document.activeElement?.getAttribute('name'));
        assert.equal(focused, name, place);
        assert.deepEqual(await typedIn(form), typed, place);
        compared += 1;
      }
      field = '';
      await press(form);
      await form.locator('[role="alert"]').getByText('is odd').waitFor();
    }
    t.diagnostic(`${compared} fields`);
  },
);
