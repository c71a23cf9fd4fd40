// The process that draws cannot start: its image fails, the server goes on, and the next image is drawn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Card } from '@colophon/share-images';
import { openDrawing } from '../../src/drawing/index.ts';
import { takeDescriptors } from '../take-descriptors.ts';

const example: Card = {
  title: 'A title',
  language: 'en',
  kind: 'human',
  username: 'ann',
  displayName: 'Ann Example',
  ownerUsername: null,
  direction: 'ltr',
  disclosure: 'human_authored',
  host: 'example.org',
};

test('without descriptors for a process an image fails as one of a full disk does, and the next is drawn', async (t) => {
  await using own = openDrawing();
  const giveBack = takeDescriptors(2);
  if (giveBack === undefined) {
    t.skip('prlimit is missing');
    return;
  }
  try {
    await assert.rejects(own.draw({ ...example, title: 'None' }), { code: 'EMFILE' });
  } finally {
    giveBack();
  }
  assert.ok(await own.draw({ ...example, title: 'Some' }));
});
