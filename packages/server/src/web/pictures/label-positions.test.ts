// Labels: none stands where it seems to name another node.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { positionLabels } from './label-positions.ts';

test('a label keeps away from a node that is not its own, where another place is free', () => {
  const size = { width: 100, height: 15 };
  const own = { x: 0, y: 0, radius: 17, size };
  // Just below the first place of the label, which covers no line.
  const other = { x: 0, y: 52, radius: 9, size: { width: 0, height: 0 } };
  const { labels } = positionLabels([own, other], []);
  assert.deepEqual(labels, [{ x: 0, y: -29.5 }, null]);
  const far = positionLabels([own, { ...other, y: 80 }], []);
  assert.deepEqual(far.labels[0], { x: 0, y: 29.5 });
});
