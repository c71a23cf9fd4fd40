// Repeats what the ledger records and a database lacks that was restored from an older backup.
import { eraseAgain, treatWorks } from '#articles';
import { closeAgain } from '#identity';
import type { BrokenLine, Ledger, LedgerEntry, LegalAct } from '#ledger';
import { keyOf } from '#lib/id';
import { eraseAllMedia } from '#media';
import { removeAgain } from '#moderation';
import type { SubscriberServices } from '#outbox';
import { eraseComments } from '#social';

/** How many of each kind were repeated. */
export interface Repeated {
  readonly erased: number;
  readonly closed: number;
  readonly legallyRemoved: number;
}

/** Entries per statement. */
const batchSize = 1_000;

async function* batches(entries: AsyncIterable<LedgerEntry>): AsyncGenerator<LedgerEntry[]> {
  let batch: LedgerEntry[] = [];
  for await (const entry of entries) {
    batch.push(entry);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Collects the act in force on each target. Hosts may disagree about the time: of two at once, a removal stays. */
function inForce() {
  const newest = new Map<string, LegalAct>();
  return {
    add: (act: LegalAct) => {
      const key = `${act.target_type} ${act.target_id}`;
      const other = newest.get(key);
      const isNewer =
        other === undefined ||
        act.acted_at > other.acted_at ||
        (act.acted_at === other.acted_at && act.action === 'remove');
      if (isNewer) newest.set(key, act);
    },
    removals: () => [...newest.values()].filter(({ action }) => action === 'remove'),
  };
}

async function closeAccounts(
  services: SubscriberServices,
  times: ReadonlyMap<string, Date>,
): Promise<number> {
  const closed = await closeAgain(services, times);
  // The pipeline would do it too, but after the first read; it does after a crash here.
  for (const id of closed) {
    await treatWorks({ ...keyOf(id), treatment: 'erase' }, services);
    await eraseComments(id, services);
    await eraseAllMedia(keyOf(id), services);
  }
  return closed.length;
}

/**
 * Repeats erasures, closings with `erase`, and removals for legal reasons that nobody ended. Must run before any
 * read is served. A second run repeats nothing, and one after a crash does the rest.
 */
export async function applyLedger(services: SubscriberServices, ledger: Ledger): Promise<Repeated> {
  const { log } = services;
  const onBroken = (where: BrokenLine) =>
    log.warn({ ...where }, 'A line of the ledger of erasures cannot be read; it is skipped.');
  const legal = inForce();
  let [erased, closed, legallyRemoved] = [0, 0, 0];
  for await (const batch of batches(ledger.read(onBroken))) {
    const [works, accounts] = [new Map<string, Date>(), new Map<string, Date>()];
    for (const entry of batch) {
      if ('article_id' in entry) works.set(entry.article_id, new Date(entry.erased_at));
      else if ('principal_id' in entry) accounts.set(entry.principal_id, new Date(entry.closed_at));
      else legal.add(entry);
    }
    if (works.size > 0) erased += await eraseAgain(services, works);
    if (accounts.size > 0) closed += await closeAccounts(services, accounts);
  }
  const removals = legal.removals();
  for (let at = 0; at < removals.length; at += batchSize)
    legallyRemoved += await removeAgain(services, removals.slice(at, at + batchSize));
  const repeated = { erased, closed, legallyRemoved };
  if (erased + closed + legallyRemoved > 0)
    log.warn(repeated, 'Repeated what the ledger records and the database did not contain.');
  return repeated;
}
