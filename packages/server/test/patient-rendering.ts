// Rendering whose deadlines hold however busy the machine is with other tests.
import assert from 'node:assert/strict';
import { openRendering } from '../../text/src/rendering.ts';

/** Opens threads of their own. A text is never `busy` for want of processor time. */
export function openPatientRendering(): ReturnType<typeof openRendering> {
  return openRendering(assert.fail, { memoryMb: 384, waiting: 64, patience: 1_000 });
}
