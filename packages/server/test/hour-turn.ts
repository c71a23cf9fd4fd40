// Keeps tests that count allowances away from the moment at which allowances begin again.
import { setTimeout } from 'node:timers/promises';

const hourMs = 3_600_000;

/**
 * Allowances begin again with each hour by the clock: what is counted in a test must not meet its turn. Waits for it if
 * less than `roomMs` is left.
 */
export async function awayFromTheTurn(roomMs: number): Promise<void> {
  const leftMs = hourMs - (Date.now() % hourMs);
  if (leftMs < roomMs) await setTimeout(leftMs + 10);
}
