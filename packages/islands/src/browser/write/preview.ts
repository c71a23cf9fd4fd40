// The preview: the text as its page will show it, while it is typed.
import { element } from '../exchange.ts';

type Renderer = typeof import('../write-preview.ts');

export interface Preview {
  /** Called at every change. */
  changed(): void;
}

/** Of rendering: what takes longer waits, so that typing stays fluent. */
const frameMs = 24;
/** What takes longer than this waits longer: a quarter of the time is left to it, before that a half. */
const slowMs = 100;

/** Replaces what differs. What is the same stays: pictures are not loaded again, nothing jumps. */
function patch(place: HTMLElement, html: string): void {
  const next = [...new DOMParser().parseFromString(html, 'text/html').body.childNodes];
  const now = [...place.childNodes];
  const same = (one: Node | undefined, other: Node | undefined) =>
    one !== undefined && other !== undefined && one.isEqualNode(other);
  let from = 0;
  while (from < now.length && same(now[from], next[from])) from += 1;
  let end = 0;
  const shorter = Math.min(now.length, next.length) - from;
  while (end < shorter && same(now.at(-1 - end), next.at(-1 - end))) end += 1;
  for (const node of now.slice(from, now.length - end)) node.remove();
  const before = place.childNodes[from] ?? null;
  for (const node of next.slice(from, next.length - end)) {
    place.insertBefore(document.adoptNode(node), before);
  }
}

interface Painting {
  readonly place: HTMLElement;
  readonly render: (markdown: string) => string;
  readonly read: () => string;
}

/** Returns a function that paints in the next frame, or after a pause if the last time took long. */
function painter({ place, render, read }: Painting): () => void {
  let isDue = false;
  let tookMs = 0;
  const paint = () => {
    isDue = false;
    const from = performance.now();
    patch(place, render(read()));
    tookMs = performance.now() - from;
    performance.measure('preview', { start: from });
  };
  return () => {
    if (isDue) return;
    isDue = true;
    if (tookMs <= frameMs) requestAnimationFrame(paint);
    else setTimeout(paint, tookMs <= slowMs ? tookMs : tookMs * 3);
  };
}

/** The part of the text that is seen is the part of the preview that is shown. */
function follow(shown: HTMLElement, text: HTMLElement): void {
  addEventListener(
    'scroll',
    () => {
      const { top, height } = text.getBoundingClientRect();
      const hidden = height - innerHeight;
      const share = hidden <= 0 ? 0 : Math.min(1, Math.max(0, -top / hidden));
      shown.scrollTop = share * (shown.scrollHeight - shown.clientHeight);
    },
    { passive: true },
  );
}

/** Opens the preview: beside the text on a wide screen, in place of it on a narrow one. */
export function openPreview(read: () => string): Preview {
  const [shown, button] = [element('#preview'), element('#show-preview')];
  const { renderer = '', site = '', media = '' } = element('#editor').dataset;
  const panes = element('.editor-panes');
  let paint: (() => void) | undefined;
  const load = async () => {
    const { openRenderer } = (await import(renderer)) as Renderer;
    const render = openRenderer({ baseUrl: site, mediaBaseUrl: media });
    paint = painter({ place: element('#preview .prose'), render, read });
    if (!shown.hidden) paint();
  };
  const show = (isShown: boolean) => {
    shown.hidden = !isShown;
    button.ariaPressed = String(isShown);
    panes.classList.toggle('both', isShown);
    if (isShown && paint === undefined) void load();
    else if (isShown) paint?.();
  };
  button.addEventListener('click', () => show(shown.hidden !== false));
  follow(shown, element('#text'));
  show(matchMedia('(min-width: 64rem)').matches);
  return {
    changed: () => {
      if (!shown.hidden) paint?.();
    },
  };
}
