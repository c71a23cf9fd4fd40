// The store of what was typed, for as long as the page is open: a browser may close it, or refuse to write.
import { openStore } from './store.ts';
import type { Sent } from './records.ts';
import type { OpenStore, Store } from './store.ts';

export interface LastingStore extends Store {
  /** Whether this device took what was written last. */
  isKept(): boolean;
}

/**
 * Returns a store whose operations never fail: saving at the service must go on without it. Browsers close
 * IndexedDB when site data are deleted, and some when a page was in the background; it is opened again then.
 * `changed` is told when what is typed is not kept on this device, and when it is again.
 */
export function openLastingStore(changed: (isKept: boolean) => void): LastingStore {
  let open = openStore();
  let isKept = true;
  /** By this record, what is typed is found: a store that was emptied needs it again. */
  let last: Sent | undefined;

  const report = (isNowKept: boolean) => {
    if (isNowKept === isKept) return;
    isKept = isNowKept;
    changed(isKept);
  };

  async function replace(failed: Promise<OpenStore>): Promise<OpenStore> {
    await failed.then((store) => store.close()).catch(() => undefined);
    const store = await openStore();
    if (last !== undefined) await store.send(last);
    return store;
  }

  /** Of several operations that failed with one store, the first one opens the next. */
  function after(failed: Promise<OpenStore>): Promise<OpenStore> {
    if (open === failed) open = replace(failed);
    return open;
  }

  async function attempt<T>(work: (store: Store) => Promise<T>, otherwise: T): Promise<T> {
    const first = open;
    try {
      const result = await first.then(work).catch(() => after(first).then(work));
      report(true);
      return result;
    } catch {
      report(false);
      return otherwise;
    }
  }

  return {
    type: (typed) => attempt((store) => store.type(typed), undefined),
    send: (sent) => {
      last = sent;
      return attempt((store) => store.send(sent), undefined);
    },
    left: (account, article) => attempt((store) => store.left(account, article), []),
    drop: (editor) => attempt((store) => store.drop(editor), undefined),
    isKept: () => isKept,
  };
}
