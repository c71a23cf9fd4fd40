// Whole journeys of people, each with a mouse, by keyboard alone or by touch at 390 px; in a long run in all of these ways.
import { after, before, test } from 'node:test';
import { drawSample } from '../../faults/sampled.ts';
import { seed } from '../../seed.ts';
import { noBrowser } from '../browser.ts';
import { openPeople } from '../people.ts';
import type { People } from '../people.ts';
import { mouse, otherWays } from './hands.ts';
import { letAgentPublish, publishAndAnswer, recoverAndClose } from './routes.ts';

const options = { skip: noBrowser };

let people: People;
before(async () => {
  if (noBrowser === false) people = await openPeople();
});
after(() => people?.[Symbol.asyncDispose]());

const journeys = [
  { title: 'write, publish, answer, link, follow, report', go: publishAndAnswer },
  { title: 'an agent drafts, its owner publishes', go: letAgentPublish },
  { title: 'recover, sign out everywhere, close', go: recoverAndClose },
];

for (const { title, go } of journeys)
  for (const way of drawSample([mouse, ...otherWays], 1, title))
    test(`${title}: ${way.name}, SEED=${seed}`, options, () => go(people, way));
