// What every test file of the editor has: a server, a browser, and a person who writes.
import { after, before } from 'node:test';
import { noBrowser } from '../browser.ts';
import { openPeople } from '../people.ts';
import type { People, Person } from '../people.ts';
import { openWriter } from './editor.ts';
import type { Writer } from './editor.ts';

/** Opened before the first test of a file, and closed behind its last. */
export interface Writing {
  readonly people: People;
  readonly writer: Writer;
  /** Opens a page that is signed in as the writer. */
  visit(device?: Parameters<People['visit']>[0]): Promise<Person>;
}

/** Call it once, outside every test. Without a browser nothing is opened. */
export function writingIn(open = () => openPeople({ LIMITS: 'off' })): Writing {
  let people: People;
  let writer: Writer;
  before(async () => {
    if (noBrowser !== false) return;
    people = await open();
    writer = await openWriter(people.server);
  });
  after(() => people?.[Symbol.asyncDispose]());
  return {
    get people() {
      return people;
    },
    get writer() {
      return writer;
    },
    visit: async (device = {}) => {
      const person = await people.visit(device);
      await writer.signIn(person.page.context());
      return person;
    },
  };
}
