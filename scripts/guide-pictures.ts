// npm run guide-pictures: the pictures of docs/moderation.md and docs/verifying.md, and of writing in README.md, taken
// from a server of its own.
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { noBrowser } from '../packages/server/test/browser/browser.ts';
import { pictureWorld } from '../packages/server/test/browser/guide-world.ts';
import type { PictureWorld } from '../packages/server/test/browser/guide-world.ts';
import { openPeople } from '../packages/server/test/browser/people.ts';
import type { People, Person } from '../packages/server/test/browser/people.ts';

const folder = join(resolve(import.meta.dirname, '..'), 'docs/images');
const quality = 72;
/** Pixels of a picture for each pixel of the page: `web/guides/pictures.ts` shows them in the size of the page. */
const scale = 1.5;

type Page = Person['page'];
type Locator = ReturnType<Page['locator']>;

interface Picture {
  /** As a file name. */
  readonly name: string;
  readonly who: 'stranger' | 'moderator' | 'author';
  readonly path: string;
  /** CSS pixels of the window; 1,000 if undefined. */
  readonly width?: number;
  /** Brings the page into the state that is shown, and returns what is shown of it. */
  readonly reach: (page: Page) => Promise<Shown> | Shown;
}

/** From the top of one element to the bottom of another. */
interface Shown {
  readonly from: Locator;
  readonly to: Locator;
  /** CSS pixels, at most. */
  readonly height?: number;
  /** Around it; 16 CSS pixels if undefined. */
  readonly margin?: number;
  /** As wide as the window. */
  readonly isWide?: true;
}

const whole = (page: Page, height: number): Shown => ({
  from: page.locator('body'),
  to: page.locator('body'),
  height,
  isWide: true,
});

async function openPanel(page: Page): Promise<void> {
  await page.locator('#origin > summary').click();
}

async function verify(page: Page): Promise<Shown> {
  await openPanel(page);
  await page.getByRole('button', { name: 'Verify in this browser' }).click();
  await page.locator('.steps').waitFor();
  return { from: page.locator('.verify'), to: page.locator('.verify'), margin: 2 };
}

/** One letter of the text is not what was signed. */
async function verifyAltered(page: Page): Promise<Shown> {
  await page.route(/\/revisions\/[0-9A-Z]{26}$/, async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { content: string };
    await route.fulfill({ response, json: { ...json, content: json.content.replace('e', 'x') } });
  });
  return verify(page);
}

/** Fills in the form of an action: below it is what readers and the author will see. */
async function decide(page: Page): Promise<Shown> {
  await page.keyboard.press('1');
  await page.keyboard.press('w');
  await page.keyboard.type('Take the prices out, and it can come back.');
  await page.keyboard.press('Escape');
  return { from: page.locator('label[for="reason_code"]'), to: page.locator('[data-key="s"]') };
}

const draft = `Most corrections fail because they answer the tone and not the claim. *This* is what I try instead.

## Three questions

- What would be different if the claim were false?
- Who would notice first, and where would they write it down?
- Which **one** sentence would I have to change?

> A reference that nobody follows is a decoration.

Then I answer with a stance, and link what I read: [the table](https://example.org/table).`;

/** Types an article until it is saved. In a wide window its preview is beside it. */
async function write(page: Page): Promise<Shown> {
  await page.locator('.editor[data-ready]').waitFor();
  await page.locator('#title').fill('How to disagree with a machine');
  await page.locator('.cm-content').focus();
  await page.keyboard.insertText(draft);
  await page.locator('#preview h2').waitFor();
  await page.locator('#status[data-state="saved"]').waitFor();
  // Without the cursor and the mark of the focus.
  await page.locator('.cm-content').blur();
  return whole(page, 700);
}

const picturesOf = ({
  desk,
  report,
  decision,
  signed,
  changes,
}: PictureWorld): readonly Picture[] => [
  { name: 'desk-queue', who: 'moderator', path: desk, reach: (page) => whole(page, 900) },
  { name: 'desk-report', who: 'moderator', path: report, reach: (page) => whole(page, 900) },
  { name: 'desk-act', who: 'moderator', path: report, reach: decide },
  { name: 'decision', who: 'author', path: decision, reach: (page) => whole(page, 900) },
  { name: 'ledger', who: 'stranger', path: '/transparency', reach: (page) => whole(page, 950) },
  {
    name: 'origin-panel',
    who: 'stranger',
    path: signed,
    reach: async (page) => {
      await openPanel(page);
      return { from: page.locator('article.whole'), to: page.locator('#origin') };
    },
  },
  { name: 'verified', who: 'stranger', path: signed, reach: verify },
  { name: 'verified-not', who: 'stranger', path: signed, reach: verifyAltered },
  // Wide enough for the preview beside the text.
  { name: 'writing', who: 'author', path: '/write', width: 1_180, reach: write },
  { name: 'revisions', who: 'stranger', path: changes, reach: (page) => whole(page, 800) },
];

/** The part of the page that is shown, with a margin. */
async function clipOf(page: Page, shown: Shown) {
  const { from, to, height = Infinity, margin = 16, isWide } = shown;
  const [first, last] = [await from.boundingBox(), await to.boundingBox()];
  const view = page.viewportSize();
  if (first === null || last === null || view === null) throw new Error('Nothing is shown.');
  const scrolled = await page.evaluate(() => window.scrollY);
  const y = Math.max(0, first.y + scrolled - margin);
  const bottom = last.y + scrolled + last.height + margin;
  const x = Math.max(0, Math.min(first.x, last.x) - margin);
  const width = Math.min(view.width - x, Math.max(first.width, last.width) + 2 * margin);
  const across = isWide === true ? { x: 0, width: view.width } : { x, width };
  return { ...across, y, height: Math.min(height, bottom - y) };
}

async function take(people: People, world: PictureWorld, picture: Picture): Promise<void> {
  const context = await people.browser.newContext({
    baseURL: people.server.baseUrl,
    viewport: { width: picture.width ?? 1_000, height: 900 },
    deviceScaleFactor: scale,
    colorScheme: 'light',
  });
  if (picture.who !== 'stranger')
    await context.addCookies(await world[picture.who].page.context().cookies());
  const page = await context.newPage();
  await page.goto(picture.path);
  const shown = await picture.reach(page);
  const clip = await clipOf(page, shown);
  const png = await page.screenshot({ fullPage: true, clip });
  await sharp(png)
    .webp({ quality, effort: 6 })
    .toFile(join(folder, `${picture.name}.webp`));
  await context.close();
}

async function run(): Promise<void> {
  if (noBrowser !== false) throw new Error(`Pictures need Chromium: ${noBrowser}`);
  await using people = await openPeople();
  const world = await pictureWorld(people);
  await mkdir(folder, { recursive: true });
  for (const picture of picturesOf(world)) await take(people, world, picture);
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name))));
  const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
  console.log(`The pictures are in ${folder}: ${Math.round(bytes / 1024)} KiB in all.`);
}

await run();
