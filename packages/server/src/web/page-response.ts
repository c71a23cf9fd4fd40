// A page as a representation to send.
import { pageText } from './components/page-frame.ts';
import type { Page } from './components/page-frame.ts';
import type { Representation } from './respond.ts';
import type { PageContext } from './context.ts';

/** Returns the page. One for somebody who is signed in is never shared, whatever it shows. */
export function pageResponse(
  { site, caller, scripts }: Pick<PageContext, 'site' | 'caller' | 'scripts'>,
  page: Page,
  shared: boolean,
): Representation & { readonly headers: Readonly<Record<string, string>> } {
  return {
    contentType: 'text/html; charset=utf-8',
    text: pageText(site, { ...page, reader: { caller, live: scripts.live } }),
    shared: shared && caller === null,
    noindex: page.noindex,
    headers: { ...site.headers, vary: 'Cookie' },
  };
}

/** Returns a page of the settings, with their script. */
export function settingsResponse(
  web: Pick<PageContext, 'site' | 'caller' | 'scripts'>,
  { title, main }: Pick<Page, 'title' | 'main'>,
): ReturnType<typeof pageResponse> {
  const page = {
    title,
    description: '',
    canonical: undefined,
    noindex: true,
    main,
    current: 'account' as const,
    script: web.scripts.settings,
  };
  return pageResponse(web, page, false);
}
