// A page as a representation to send.
import { pageText } from './components/page-frame.ts';
import type { Page } from './components/page-frame.ts';
import type { Representation } from './respond.ts';
import type { PageContext } from './context.ts';

export function pageResponse(
  { site }: Pick<PageContext, 'site'>,
  page: Page,
  shared: boolean,
): Representation & { readonly headers: Readonly<Record<string, string>> } {
  return {
    contentType: 'text/html; charset=utf-8',
    text: pageText(site, page),
    shared,
    noindex: page.noindex,
    headers: site.headers,
  };
}
