// Remembers in the browser where the reading of a long text stopped, and offers to go on there.

/** Texts that are remembered, the ones read last. */
const textsMax = 50;
const storeName = 'colophon-reading';
/** A text of fewer windows is read at once. */
const windowsLeast = 3;

/** By article: the part of the text that was above the window, between 0 and 1. */
type Positions = Readonly<Record<string, number>>;

function readPositions(): Positions {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storeName) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Positions) : {};
  } catch {
    return {};
  }
}

function store(key: string, part: number | undefined): void {
  const others = Object.entries(readPositions()).filter(([name]) => name !== key);
  const own = part === undefined ? [] : [[key, part] as const];
  try {
    const kept = [...others, ...own].slice(-textsMax);
    localStorage.setItem(storeName, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Storage is full or switched off: reading goes on without it.
  }
}

function partRead(prose: HTMLElement): number {
  const { top, height } = prose.getBoundingClientRect();
  return -top / height;
}

function offer(prose: HTMLElement, part: number): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'go-on';
  button.textContent = `Go on where you stopped (${Math.round(part * 100)}%)`;
  button.addEventListener('click', () => {
    button.remove();
    const { top, height } = prose.getBoundingClientRect();
    window.scrollTo({ top: window.scrollY + top + part * height });
  });
  prose.before(button);
  window.addEventListener(
    'scroll',
    () => {
      if (partRead(prose) > 0) button.remove();
    },
    { passive: true },
  );
}

/** Keeps the position in the text of the page, if it is long. */
export function keepPosition(): void {
  const prose = document.querySelector<HTMLElement>('.whole > .prose');
  if (prose === null || prose.offsetHeight < windowsLeast * window.innerHeight) return;
  const key = window.location.pathname;
  const before = readPositions()[key];
  // A link to a part of the page leads there.
  if (typeof before === 'number' && window.location.hash === '' && partRead(prose) <= 0)
    offer(prose, before);
  const keep = () => {
    const part = partRead(prose);
    if (part > 0.03) store(key, part < 0.9 ? Math.round(part * 1000) / 1000 : undefined);
  };
  let timer = 0;
  window.addEventListener(
    'scroll',
    () => {
      clearTimeout(timer);
      timer = setTimeout(keep, 500);
    },
    { passive: true },
  );
  window.addEventListener('pagehide', keep);
}
