// Hostile texts in answers, in a real browser of somebody who is signed in: shown, sent, refused and shown again.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ask as askComment } from '#test/comments';
import { ask as askEdge } from '#test/edges';
import { newId } from '#lib/id';
import { drawSample } from '../faults/sampled.ts';
import { seed } from '../seed.ts';
import { noBrowser } from './browser.ts';
import { payloads } from './payloads.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';

const options = { skip: noBrowser };
const vectors = payloads()
  .filter(({ place }) => place === 'paragraph')
  .map(({ markdown }) => markdown);

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

/** Counts the scripts of vectors that run, also those that a policy would not stop. */
async function watch(page: Page): Promise<readonly unknown[]> {
  const ran: unknown[] = [];
  await page.exposeFunction('ran', (number: unknown) => void ran.push(number));
  return ran;
}

/** Elements and attributes that no answer may have. */
function strange(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      document.querySelectorAll(
        'main :is(script, iframe, object, svg:not(.hangs > svg, .stances li > svg), math, base, meta, [onerror], [onload], [onfocus], [ontoggle], [onmouseover], a[href^="javascript:" i], form[action^="javascript:" i])',
      ).length,
  );
}

test('comments, notes and addresses of links', options, async () => {
  const { server } = people;
  const author = await server.register();
  const made = await server.published(author);
  let taken = 0;
  for (const vector of vectors) {
    const said = await askComment(server, author, made.id, { content: vector.slice(0, 8_192) });
    const note = { src_article_id: made.id, note: vector.slice(0, 1_000) };
    const uris = [`https://e.example/${taken}`, `https://e.example/${encodeURIComponent(vector)}`];
    const links = await Promise.all(
      [...uris, vector].map((dst_uri) => askEdge(server, author, { ...note, dst_uri })),
    );
    taken += [said, ...links].filter(({ status }) => status === 201).length;
  }
  assert.ok(taken > vectors.length * 2, `${taken} texts`);
  await using person = await people.join();
  const { page, complaints } = person;
  const ran = await watch(page);
  await page.goto(new URL(String(made.url)).pathname);
  assert.ok((await page.locator('.comment .prose').count()) > 40);
  assert.equal(await strange(page), 0);
  await page.getByRole('link', { name: 'Later comments' }).click();
  assert.equal(await strange(page), 0);
  assert.deepEqual(ran, []);
  assert.deepEqual(complaints, []);
});

test('forms that are refused and come back with what was typed', options, async () => {
  const { server } = people;
  const author = await server.register();
  const made = await server.published(author);
  const at = new URL(String(made.url)).pathname;
  await using person = await people.join();
  const { page, complaints } = person;
  const ran = await watch(page);
  for (const vector of drawSample(vectors, 5)) {
    const long = vector + ' '.repeat(8_200);
    const forms = [
      [at, 'comment', { comment: long, stance: vector }],
      [at, 'reply', { reply: long, to: vector }],
      [at, 'link', { source: vector, kind: vector, note: vector.repeat(40) }],
      [`/report?type=article&id=${newId(1)}`, 'report', { category: vector, details: long }],
    ] as const;
    for (const [path, name, fields] of forms) {
      await page.goto(path);
      const sent = page.waitForNavigation();
      await page.evaluate(
        ([action, typed]) => {
          const form = document.createElement('form');
          form.method = 'post';
          form.action = action;
          for (const [key, value] of Object.entries(typed)) {
            const field = document.createElement('textarea');
            field.name = key;
            field.value = value;
            form.append(field);
          }
          document.body.append(form);
          HTMLFormElement.prototype.submit.call(form);
        },
        [
          `${path}${path.includes('?') ? '&' : '?'}form=${name}`,
          { key: 'a-key-of-a-test', ...fields },
        ] as const,
      );
      const answer = await sent;
      assert.ok([404, 422].includes(answer?.status() ?? 0), `${name} ${answer?.status()}`);
      assert.equal(await strange(page), 0, `${name} ${vector}`);
    }
  }
  assert.deepEqual(ran, [], `SEED=${seed}`);
  assert.deepEqual(complaints, []);
});
