// A page as something to send.
import { pageText } from '../page.ts';
import type { Page } from '../page.ts';
import type { Representation } from '../respond.ts';
import type { Web } from '../web.ts';

export function paper(
  { site }: Pick<Web, 'site'>,
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
