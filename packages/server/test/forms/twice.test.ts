// Every form, sent once and then again as a reload and a double click send it: nothing is made a second time.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { untilSettled } from '../edges.ts';
import { startServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { send } from './disguises.ts';
import { settle } from './people.ts';
import type { Inhabited } from './people.ts';
import { inOrder, sendingOfPerson } from './person-sends.ts';
import { openRows } from './rows.ts';
import type { Rows } from './rows.ts';
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
  shown = [...new Map(formsOf(pages).map((one) => [placeOf(one), one])).values()];
});
after(async () => {
  await rows[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const placeOf = ({ pattern, name }: Pick<MetForm, 'pattern' | 'name'>) => `${pattern} ${name}`;

/** What a form that makes something must have made; the rest changes what is there, or finds nothing. */
const makers = [
  '/@{username}/{place} comment',
  '/@{username}/{place} link',
  '/report report',
  '/write/{id}/publish publish',
  '/settings/agents create',
  '/settings/tokens issue',
  '/review/{id} approve',
  '/write save',
];

/** The number of rows of each table when the pipeline is at rest, except for those of an archive in the making. */
async function counts(): Promise<Readonly<Record<string, string>>> {
  await untilSettled(server);
  const { export_parts: _, ...tables } = await rows.state();
  return Object.fromEntries(
    Object.entries(tables).map(([name, state]) => [name, state.split(' ')[0] ?? '']),
  );
}

test('a form that was answered, sent again and twice at once: the database is as after the first time', async () => {
  const made: string[] = [];
  let before = await counts();
  for (const form of inOrder(shown)) {
    const sending = sendingOfPerson(form);
    await send(server, people.browser.cookie(), sending);
    const once = await counts();
    if (JSON.stringify(once) !== JSON.stringify(before)) made.push(placeOf(form));
    const again = await Promise.all(
      [1, 2].map(() => send(server, people.browser.cookie(), sending)),
    );
    assert.deepEqual(await counts(), once, placeOf(form));
    before = once;
    for (const { status } of again) assert.ok(status < 500, `${placeOf(form)}: ${status}`);
  }
  assert.deepEqual(
    makers.filter((place) => !made.includes(place)),
    [],
    'these were refused',
  );
});
