// The pages of the API reference: search, copying, trying, and moving between them without losing the token.
import { base, all, one } from './elements.ts';
import { setUpFilter } from './find-operations.ts';
import { forgetToken, hasToken, setUpTrying } from './try-api.ts';

function setUpCopying(): void {
  if (navigator.clipboard === undefined) return;
  for (const button of all('.copy')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const text = button.parentElement?.querySelector('code')?.textContent ?? '';
      void navigator.clipboard.writeText(text).then(() => {
        button.textContent = 'Copied';
      });
    });
  }
}

function setUp(): void {
  const index = document.querySelector<HTMLElement>('.reference.index');
  const form = document.querySelector<HTMLFormElement>('#try form');
  if (index !== null) setUpFilter(index);
  if (form !== null) setUpTrying(form);
  setUpCopying();
}

/** The path of the page that is shown. */
let shown = location.pathname;

/** Shows another page of the reference without leaving this one, so that the token stays in memory. */
async function visit(address: string): Promise<void> {
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const main = page.querySelector('main');
  if (!response.ok || main === null) throw new Error(address);
  document.title = page.title;
  one('main').replaceWith(document.adoptNode(main));
  setUp();
  const { hash, pathname } = new URL(address);
  shown = pathname;
  if (hash === '') scrollTo(0, 0);
  else document.querySelector(hash)?.scrollIntoView();
  one('main').focus({ preventScroll: true });
}

const isReference = ({ origin, pathname }: URL) =>
  origin === location.origin && /^\/docs\/api(?:\/[\w-]+)?$/.test(pathname.slice(base.length));

/** Returns the page of the reference that a plain click leads to. */
function targetOf(event: MouseEvent): URL | undefined {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return undefined;
  const to = new URL(link.href);
  const isHere = to.pathname === location.pathname && to.hash !== '';
  return isReference(to) && !isHere ? to : undefined;
}

document.addEventListener('click', (event) => {
  const to = hasToken() ? targetOf(event) : undefined;
  if (to === undefined) return;
  event.preventDefault();
  visit(to.href).then(
    () => history.pushState(null, '', to.href),
    () => location.assign(to.href),
  );
});

// A link to a part of the same page comes here too, and must not empty the form.
addEventListener('popstate', () => {
  if (location.pathname !== shown && isReference(new URL(location.href)))
    void visit(location.href).catch(() => location.reload());
});

// A page that the browser keeps for its back button would keep the token too.
addEventListener('pagehide', forgetToken);

setUp();
