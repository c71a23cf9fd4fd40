// Waits for new events, in one tab for all, and shows how many notifications are unread.
import { send } from './exchange.ts';

interface Events {
  readonly items: readonly { readonly id: string }[];
}

const waitSeconds = 25;
/** Between attempts while the service cannot be reached. */
const pauseMs = 15_000;
/** A wait that ends before this without an event was ended by the service. */
const earlyMs = 5_000;

const top = () => document.querySelector<HTMLElement>('#top');

function show(unread: number): void {
  const mark = document.querySelector<HTMLElement>('.unread');
  const count = mark?.querySelector('.count');
  if (!mark || !count) return;
  mark.hidden = unread === 0;
  count.textContent = unread > 99 ? '99+' : String(unread);
}

/** Counts events that have arrived since the page was made. */
function add(ids: readonly string[]): void {
  const header = top();
  if (header === null) return;
  const { unread = '0', newest = '' } = header.dataset;
  const fresh = ids.filter((id) => id > newest);
  if (fresh.length === 0) return;
  const total = Number(unread) + fresh.length;
  header.dataset['unread'] = String(total);
  header.dataset['newest'] = fresh.at(-1);
  show(total);
  document.dispatchEvent(new Event('arrived'));
}

/** Counts nothing any more: everything up to this event was seen, and none has arrived since. */
function clear(seen: string): void {
  const header = top();
  if (header === null || (header.dataset['newest'] ?? '') > seen) return;
  header.dataset['unread'] = '0';
  header.dataset['newest'] = seen;
  show(0);
}

async function wait(since: string): Promise<readonly string[]> {
  const after = since === '' ? '' : `&since=${since}`;
  // It names the account of the page: the events of another one, which has signed in meanwhile, are none of its own.
  const { items } = await send<Events>('GET', `/-/v1/events?limit=100&wait=${waitSeconds}${after}`);
  return items.map(({ id }) => id);
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));

/** Polls for as long as the page is open. A failure (no line, signed out elsewhere) is tried again later. */
async function poll(channel: BroadcastChannel): Promise<never> {
  for (;;) {
    const begun = performance.now();
    try {
      const ids = await wait(top()?.dataset['newest'] ?? '');
      add(ids);
      if (ids.length > 0) channel.postMessage(ids);
      // The service ends the oldest of too many waits at once: asking again at once would end another one.
      else if (performance.now() - begun < earlyMs) await pause();
    } catch {
      await pause();
    }
  }
}

/** Starts it. One tab of the browser polls, and tells the others: a browser opens few connections to a host. */
export function watchArrivals(): void {
  const { reader } = document.documentElement.dataset;
  if (reader === undefined) return;
  const name = `events of ${reader}`;
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<readonly string[] | string>) => {
    if (typeof data === 'string') clear(data);
    else add(data);
  });
  document.addEventListener('seen', (event) => {
    if (!(event instanceof CustomEvent)) return;
    clear(String(event.detail));
    channel.postMessage(event.detail);
  });
  void navigator.locks.request(name, () => poll(channel));
}
