// What was typed and is not saved yet, in IndexedDB: one record for each editor that is or was open.
import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase } from 'idb';
import { moveLeaving } from './leaving-store.ts';
import type { Left, Sent, Typed } from './records.ts';

interface Schema extends DBSchema {
  typed: { key: string; value: Typed };
  sent: { key: string; value: Sent; indexes: { account: string } };
}

export interface Store {
  /** Writes what was typed; while a write is running, the newest text waits for it. */
  type(typed: Typed): Promise<void>;
  send(sent: Sent): Promise<void>;
  /** Returns what editors of an account have left of an article, the newest first. */
  left(account: string, article: string | null): Promise<readonly Left[]>;
  drop(editor: string): Promise<void>;
}

export interface OpenStore extends Store {
  close(): void;
}

const name = 'colophon-editor';

function upgrade(db: IDBPDatabase<Schema>): void {
  db.createObjectStore('typed', { keyPath: 'editor' });
  db.createObjectStore('sent', { keyPath: 'editor' }).createIndex('account', 'account');
}

/** Returns a function that writes one value after another. Of those that wait, only the newest is written. */
function latestOnly<T>(write: (value: T) => Promise<unknown>): (value: T) => Promise<void> {
  let next: { readonly value: T } | undefined;
  let running: Promise<void> | undefined;
  const run = async () => {
    try {
      while (next !== undefined) {
        const { value } = next;
        next = undefined;
        await write(value);
      }
    } finally {
      running = undefined;
    }
  };
  return (value) => {
    next = { value };
    running ??= run();
    return running;
  };
}

/** On the disk when it is written: a browser that is killed has it when it is started again. */
const durable = { durability: 'strict' } as const;

/** Writes one record of an editor, or both at once. A transaction waits for others only on the stores it names. */
async function put(db: IDBPDatabase<Schema>, { sent, typed }: Partial<Left>): Promise<void> {
  const stores = [...(sent ? ['sent' as const] : []), ...(typed ? ['typed' as const] : [])];
  const transaction = db.transaction(stores, 'readwrite', durable);
  await Promise.all([
    sent && transaction.objectStore('sent').put(sent),
    typed && transaction.objectStore('typed').put(typed),
    transaction.done,
  ]);
}

/** Opens the store. @throws where the browser has none */
export async function openStore(): Promise<OpenStore> {
  const db = await openDB<Schema>(name, 1, { upgrade });
  return {
    type: latestOnly((typed) => put(db, { typed })),
    send: (sent) => put(db, { sent }),
    left: async (account, article) => {
      await moveLeaving((left) => put(db, left));
      const all = await db.getAllFromIndex('sent', 'account', account);
      const own = all.filter((sent) => sent.article === article);
      const found = await Promise.all(
        own.map(async (sent) => ({ sent, typed: await db.get('typed', sent.editor) })),
      );
      const typed = found.flatMap((one) =>
        one.typed === undefined ? [] : [{ sent: one.sent, typed: one.typed }],
      );
      return typed.toSorted((one, other) => other.typed.at - one.typed.at);
    },
    drop: async (editor) => {
      await Promise.all([db.delete('typed', editor), db.delete('sent', editor)]);
    },
    close: () => db.close(),
  };
}
