// Texts with task lists, wide tables and code, by keyboard and with a screen reader; an address that cannot be copied.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { comment, reply } from '#test/comments';
import { noBrowser } from './browser.ts';
import { openPeople } from './people.ts';
import type { People } from './people.ts';

const options = { skip: noBrowser };

const cells = (text: string) => `|${` ${text} |`.repeat(9)}\n`;
const content = `- [x] Water it
- [ ] Move it

${cells('Donaudampfschifffahrt')}${cells('---')}${cells('x')}
| narrow |
| --- |
| x |

Seen.[^1]

[^1]: In May.
`;

let people: People;
let path: string;
before(async () => {
  if (noBrowser !== false) return;
  people = await openPeople();
  const { server } = people;
  const author = await server.register();
  const made = await server.published(author, { content });
  const asked = await comment(server, author, made.id, { content: '- [x] Seen' });
  await reply(server, author, asked.id, { content: `\`\`\`\n${'z'.repeat(400)}\n\`\`\`` });
  path = new URL(made.url).pathname;
});
after(() => people?.[Symbol.asyncDispose]());

test('the boxes of a task list say whether it is done', options, async () => {
  await using visitor = await people.visit({ withoutScripts: true });
  const { page } = visitor;
  await page.goto(path);
  assert.equal(await page.getByRole('checkbox', { name: 'Done', exact: true }).count(), 2);
  assert.equal(await page.getByRole('checkbox', { name: 'Not done' }).count(), 1);
});

test(
  'the keyboard gets into what scrolls, also in a reply, and stops nowhere else',
  options,
  async () => {
    await using visitor = await people.visit({ viewport: { width: 390, height: 844 } });
    const { page } = visitor;
    await page.goto(path);
    const stops = page.locator('.whole > .prose [tabindex="0"]');
    await stops.first().waitFor();
    assert.deepEqual(await stops.evaluateAll((all) => all.map((one) => one.localName)), ['table']);
    const replies = page.locator('.replies');
    if (!(await replies.evaluate((one) => one instanceof HTMLDetailsElement && one.open)))
      await replies.locator('summary').click();
    await page.locator('.comment pre[tabindex="0"]').waitFor();
    assert.deepEqual(visitor.complaints, []);
  },
);

test('the way back from a footnote is more than a colour', options, async () => {
  await using visitor = await people.visit();
  const { page } = visitor;
  await page.goto(path);
  const line = await page
    .locator('.footnotes .footnote-back')
    .evaluate((one) => getComputedStyle(one).textDecorationLine);
  assert.equal(line, 'underline');
});

test(
  'where the browser refuses to copy an address, the button says where it is',
  options,
  async () => {
    await using visitor = await people.visit();
    const { page } = visitor;
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      Object.defineProperty(navigator, 'share', { value: undefined });
    });
    await page.goto(path);
    await page.getByRole('button', { name: 'Copy the address' }).click();
    await page.getByRole('button', { name: 'Copy it from the address bar' }).waitFor();
  },
);
