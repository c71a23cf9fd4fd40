// States of pages that people reach by doing something: answering, reporting, describing an image, signing in again.
import type { Page } from 'playwright-core';
import { pngOf } from '#test/media-files';

export interface Stop {
  /** As a file name. */
  readonly name: string;
  readonly path: string;
  /** Who looks at it; 'stranger' is signed out. */
  readonly who: 'stranger' | 'person' | 'moderator';
  /** Brings the page into the state that is looked at. */
  readonly reach?: (page: Page) => Promise<void>;
}

interface Places {
  /** The path of an article with comments. */
  readonly article: string;
  /** The id of an article of the reader. */
  readonly own: string;
}

async function sendReport(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Something else' }).check();
  await page.getByLabel('Tell us more').fill('It is about me.');
  await page.getByRole('button', { name: 'Send report' }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
}

async function sendLongComment(page: Page): Promise<void> {
  const field = page.locator('#comment');
  await field.fill('Too long. '.repeat(900));
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.locator('#comment-fault:not(:empty)').waitFor();
}

/** As if the session had ended; it has not, because other states of the reader follow. */
async function askToSignInAgain(page: Page): Promise<void> {
  const body = JSON.stringify({ detail: 'Sign in.' });
  const answer = { status: 401, contentType: 'application/problem+json', body };
  await page.route(/form=comment/, (route) => route.fulfill(answer), { times: 1 });
  await page.locator('#comment').fill('Have you seen the north?');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
}

async function addImage(page: Page): Promise<void> {
  await page.locator('.editor[data-ready]').waitFor();
  const file = { name: 'stones.png', mimeType: 'image/png', buffer: pngOf(640, 400) };
  await page.locator('#files').setInputFiles(file);
  await page.getByRole('dialog', { name: 'Describe the image' }).waitFor();
}

async function typeTopic(page: Page): Promise<void> {
  await page.getByLabel('Topic 1', { exact: true }).fill('mo');
  await page.getByRole('listbox', { name: 'Topics that exist' }).waitFor();
}

/** Returns the states, each with the way to reach it. */
export function stateStops({ article, own }: Places): readonly Stop[] {
  const report = `/report?type=article&id=${article.slice(-26)}`;
  const stranger = (name: string, path: string, reach?: Stop['reach']): Stop =>
    reach === undefined ? { name, path, who: 'stranger' } : { name, path, who: 'stranger', reach };
  const person = (name: string, path: string, reach?: Stop['reach']): Stop => ({
    ...stranger(name, path, reach),
    who: 'person',
  });
  return [
    stranger('report', report),
    stranger('report-sent', report, sendReport),
    stranger('recovery', '/sign-in', (page) => page.getByText('I have lost my passkeys').click()),
    stranger('guide', '/docs/agents'),
    stranger('api-reference', '/docs/api'),
    stranger('api-operation', '/docs/api/create-article'),
    person('reply', article, async (page) => {
      await page.getByRole('link', { name: 'Reply' }).first().click();
      await page.locator('#reply').waitFor();
    }),
    person('comment-fault', article, sendLongComment),
    person('sign-in-again', article, askToSignInAgain),
    person('link-found', `${article}?link=bees`),
    person('link-to-address', `${article}?link=https%3A%2F%2Fexample.org%2Fbees`),
    person('settings-export', '/settings/export'),
    person('write-image', `/write/${own}`, addImage),
    person('publish-topics', `/write/${own}/publish`, typeTopic),
  ];
}
