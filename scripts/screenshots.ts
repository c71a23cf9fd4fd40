// npm run screenshots: every page and state of the tour, on a phone and a desk, in light and dark.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createClient } from '@colophon/sdk';
import { noBrowser } from '../packages/server/test/browser/browser.ts';
import { openPeople } from '../packages/server/test/browser/people.ts';
import type { People, Person } from '../packages/server/test/browser/people.ts';
import { smallWorld, tourOf } from '../packages/server/test/browser/tour.ts';
import type { Stop, World } from '../packages/server/test/browser/tour.ts';
import { seedSite } from './seed/site.ts';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'screenshots');
const help = `npm run screenshots [-- NAME…]
Starts a server of its own, fills it with the seeded site, and writes screenshots/NAME-WIDTH-SCHEME.png for
every page and state; with NAMEs only for those that contain one of them. Needs Chromium.`;

const widths = [390, 1280] as const;
const schemes = ['light', 'dark'] as const;

/** The seeded site, as a stranger finds it: the first article of the front page with comments. */
async function seededWorld(people: People, fallback: World): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-screenshots-'));
  const { baseUrl } = people.server;
  await seedSite({ baseUrl, dataDir }, join(root, 'scripts/seed/texts'));
  await rm(dataDir, { recursive: true });
  const { items } = await createClient({ baseUrl }).listArticles({ limit: 50 });
  const [found] = items.toSorted((one, other) => other.counts.comments - one.counts.comments);
  if (found === undefined) return fallback;
  return {
    ...fallback,
    article: new URL(found.url).pathname,
    profile: `/@${found.author.username}`,
  };
}

async function take({ page }: Person, stop: Stop): Promise<void> {
  for (const width of widths) {
    for (const colorScheme of schemes) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.goto(stop.path);
      await stop.reach?.(page);
      const path = join(folder, `${stop.name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }
}

async function run(names: readonly string[]): Promise<void> {
  if (noBrowser !== false) throw new Error(`Screenshots need Chromium: ${noBrowser}`);
  await using people = await openPeople();
  const { world, reader, moderator } = await smallWorld(people);
  const stops = tourOf(await seededWorld(people, world)).filter(
    ({ name }) => names.length === 0 || names.some((part) => name.includes(part)),
  );
  await using stranger = await people.visit();
  const visitors: Readonly<Record<Stop['who'], Person>> = { stranger, person: reader, moderator };
  await mkdir(folder, { recursive: true });
  for (const [index, stop] of stops.entries()) {
    await take(visitors[stop.who], stop);
    console.log(`${index + 1} of ${stops.length}: ${stop.name}`);
  }
  console.log(`The pictures are in ${folder}.`);
}

const names = process.argv.slice(2);
if (names.includes('--help')) console.log(help);
else await run(names);
