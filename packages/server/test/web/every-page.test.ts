// Every page that links lead to, for a person and for a stranger: headers, nothing inline, forms that all can use.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { webRoutes } from '#web';
import { settle } from '#test/forms/people';
import { fieldsIn, formsIn } from '#test/forms/shown-forms';
import { formsOf, walk } from '#test/forms/walk';
import type { MetPage } from '#test/forms/walk';
import type { ShownForm } from '#test/forms/shown-forms';
import { startServer } from '#test/harness';
import { forms } from '../../src/web/forms/index.ts';
import type { TestServer } from '#test/harness';
import { fetchPage, skippedHeadings } from '#test/page';
import type { TestBrowser } from '#test/web-session';

let server: TestServer;
let browser: TestBrowser;
let own: readonly MetPage[];
let foreign: readonly MetPage[];
before(async () => {
  server = await startServer();
  const inhabited = await settle(server);
  ({ browser } = inhabited);
  const { starts } = inhabited;
  const isPage = ({ page }: MetPage) =>
    (page.headers.get('content-type') ?? '').startsWith('text/html');
  const walked = (fetch: typeof browser.page) => walk({ server, fetch, starts, ofKind: 2 });
  own = (await walked(browser.page)).filter(isPage);
  foreign = (await walked((path) => fetchPage(server, path))).filter(isPage);
});
after(() => server[Symbol.asyncDispose]());

/** Runs a check on every page, and lists what it found on which. */
function onEach(pages: readonly MetPage[], check: (met: MetPage) => readonly string[]): void {
  const found = pages.flatMap((met) => check(met).map((fault) => `${met.path}: ${fault}`));
  assert.deepEqual(found, []);
}

const policy = new Map(
  Object.entries({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self'",
    'media-src': "'self'",
    'connect-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'object-src': "'none'",
    'frame-ancestors': "'none'",
  }),
);

function policyFaults(text: string): readonly string[] {
  // The editor makes style rules of its own: its page allows those with a nonce.
  const directives = new Map(
    text
      .replace(/(?<=style-src 'self') 'nonce-[\w+/=]{24}'/, '')
      .split('; ')
      .map((one) => {
        const [name = '', ...values] = one.split(' ');
        return [name, values] as const;
      }),
  );
  const missing = [...policy].filter(([name, value]) => directives.get(name)?.join(' ') !== value);
  return missing.map(([name]) => `policy: ${name} ${(directives.get(name) ?? []).join(' ')}`);
}

const headers: Readonly<Record<string, RegExp>> = {
  'content-type': /^text\/html; charset=utf-8$/,
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^(?:strict-origin-when-cross-origin|same-origin|no-referrer)$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'permissions-policy': /camera=\(\)/,
  'x-request-id': /^[\w.~-]{8,64}$/,
  vary: /\bCookie\b/,
};

test('every path that answers a page is met by the person', () => {
  const met = new Set(own.map(({ pattern }) => pattern));
  const isPage = (path: string) =>
    !/\.(?:atom|rss|json|md|xml|txt|ico)$|^\/oembed$|^\/comments|^\/account$|^\/moderation\/(?:next|standing)$|^\/-\/pieces$/.test(
      path,
    );
  const pages = webRoutes.filter(({ method, path }) => method === 'GET' && isPage(path));
  const missing = pages.filter(({ path }) => path !== '/assets/{name}' && !met.has(path));
  assert.deepEqual(
    missing.map(({ path }) => path),
    [],
    'no page leads there: add an address to test/forms/people.ts',
  );
});

test('every page has every header, and the strict policy', () => {
  onEach([...own, ...foreign], ({ page }) => [
    ...Object.entries(headers)
      .filter(([name, value]) => !value.test(page.headers.get(name) ?? ''))
      .map(([name]) => `${page.status} ${name}: ${page.headers.get(name) ?? ''}`),
    ...policyFaults(page.headers.get('content-security-policy') ?? ''),
  ]);
});

test('with a session no page is stored; without one those of a person lead to signing in', () => {
  onEach(own, ({ page }) => {
    const control = page.headers.get('cache-control') ?? '';
    return control === 'private, no-store' || page.status >= 400 ? [] : [control];
  });
  const guarded = new Set(
    own
      .map(({ pattern }) => pattern)
      .filter((one) => !foreign.some(({ pattern }) => pattern === one)),
  );
  assert.ok(guarded.has('/settings') && guarded.has('/notifications'), [...guarded].join(' '));
  const guardedForms = formsOf(foreign).filter(
    ({ pattern, name }) => forms[pattern]?.[name]?.isOpen !== true,
  );
  assert.deepEqual(guardedForms, [], 'strangers see no form that refuses them');
});

const active = /^(?:style|iframe|frame|base|object|embed|applet|frameset)$/;

test('nothing is inline: scripts and styles are files, no attribute runs or paints', () => {
  onEach([...own, ...foreign], ({ page }) =>
    page.elements.flatMap(({ tag, attributes }) => {
      const type = attributes['type'];
      const isInline =
        tag === 'script' && attributes['src'] === undefined && type !== 'application/ld+json';
      const isForeign =
        tag === 'script' && !(attributes['src'] ?? '/assets/').startsWith('/assets/');
      const names = Object.keys(attributes).filter((name) => /^on|^style$|^srcdoc$/.test(name));
      const leads = ['href', 'src', 'action', 'formaction'].filter((name) =>
        /^\s*(?:javascript|vbscript|data):/i.test(attributes[name] ?? ''),
      );
      const faults = [...names, ...leads].map((name) => `<${tag} ${name}>`);
      return isInline || isForeign || active.test(tag) ? [...faults, `<${tag}>`] : faults;
    }),
  );
});

test('every page is whole: language, one main and h1, headings in order, each id once, and what ids name', () => {
  onEach([...own, ...foreign], ({ page }) => {
    const ids = page.elements.flatMap(({ attributes }) => attributes['id'] ?? []);
    const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
    const named = page.elements.flatMap(({ attributes }) =>
      ['aria-describedby', 'aria-labelledby', 'aria-controls', 'for', 'form', 'list']
        .flatMap((name) => (attributes[name] ?? '').split(' '))
        .filter((id) => id !== '' && !ids.includes(id)),
    );
    const single = ['title', 'main', 'h1'].filter((tag) => page.all(tag).length !== 1);
    const lang = page.all('html')[0]?.attributes['lang'] === 'en' ? [] : ['no language'];
    return [
      ...lang,
      ...skippedHeadings(page),
      ...twice.map((id) => `id ${id} twice`),
      ...named.map((id) => `no element has the id ${id}`),
      ...single.map((tag) => `not one ${tag}`),
    ];
  });
});

/** The links of pages to this service: from where, and where to. */
function linksOf(pages: readonly MetPage[]) {
  return pages.flatMap(({ path, page }) =>
    page.all('a').flatMap(({ attributes }) => {
      const target = new URL(attributes['href'] ?? '', `${server.baseUrl}${path}`);
      return target.origin === server.baseUrl ? [{ from: path, target }] : [];
    }),
  );
}

test('every link leads to something, and every place that it names is there', async () => {
  const met = new Map(own.map(({ path, page }) => [path, page]));
  const links = linksOf(own);
  const others = new Map(
    links.map((link) => [link.target.pathname, link] as const).filter(([path]) => !met.has(path)),
  );
  assert.ok(others.size > 50);
  const dead: string[] = [];
  for (const { from, target } of others.values()) {
    const { status } = await browser.page(`${target.pathname}${target.search}`);
    if (status >= 400) dead.push(`${from} → ${target.pathname}: ${status}`);
  }
  for (const { from, target } of links) {
    const page = met.get(`${target.pathname}${target.search}`);
    const id = decodeURIComponent(target.hash.slice(1));
    const isThere = page?.elements.some(({ attributes }) => attributes['id'] === id);
    if (id !== '' && isThere === false) dead.push(`${from} → ${target.pathname}${target.hash}`);
  }
  assert.deepEqual([...new Set(dead)], []);
});

const secret = /^(?:code|secret|token|password|otp)$/;

test('every field and button has a name; secrets are not filled in by browsers', () => {
  onEach([...own, ...foreign], ({ page }) =>
    fieldsIn(page.text).flatMap(({ tag, type, name = '', label, attributes }) => {
      if (type === 'hidden') return [];
      const isTask = type === 'checkbox' && 'disabled' in attributes && name === '';
      const unnamed = label === '' && !isTask ? [`<${tag} name="${name}"> has no label`] : [];
      const kept = secret.test(name) && attributes['autocomplete'] !== 'off';
      return kept ? [...unnamed, `${name} may be filled in`] : unnamed;
    }),
  );
});

/** Fields of a fixed form, of which nothing is lost, and searches, whose page shows what was looked for. */
const fixed =
  /^(?:username|author|topic|code|id|token_id|other_language|q|link|actor|action|target_type|target_id)$/;

test('no text that a person writes is cut: only fields of a fixed form have a maxlength', () => {
  onEach([...own, ...foreign], ({ page }) =>
    fieldsIn(page.text).flatMap(({ tag, name = '', attributes }) => {
      const isCut = 'maxlength' in attributes && (tag === 'textarea' || !fixed.test(name));
      return isCut ? [`${name} is cut at ${attributes['maxlength']}`] : [];
    }),
  );
});

/** What a form needs that a browser sends to its page. */
function liveFaults({ action, fields }: ShownForm): readonly string[] {
  const key = fields.find(({ name, type }) => name === 'key' && type === 'hidden');
  const isKeyed = /^[\w-]{16,}$/.test(key?.value ?? '');
  const isNamed = /[?&]form=[\w-]+$/.test(action);
  return [
    ...(isKeyed ? [] : [`${action} has no key`]),
    ...(isNamed ? [] : [`${action} names no form`]),
  ];
}

test('every form that is sent is live or belongs to a script, and acts once', () => {
  onEach([...own, ...foreign], ({ page }) =>
    formsIn(page.text).flatMap((form) => {
      const hasScript = page.all('script').some((one) => one.attributes['src'] !== undefined);
      const hasButton = form.fields.some(({ type }) => type === 'submit');
      const place = form.attributes['id'] ?? form.action;
      if (!hasButton) return [`${place} has no button`];
      if ('data-live' in form.attributes) return liveFaults(form);
      return hasScript ? [] : [`${place} has no script`];
    }),
  );
});
