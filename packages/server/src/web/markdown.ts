// An article as Markdown: front matter with its metadata, then the text byte for byte.
import { canonicalOf } from './components/components.ts';
import type { Article, ShownState } from './page-services.ts';
import type { Representation } from './respond.ts';
import type { PageContext } from './context.ts';

export async function markdownOf(
  { articles }: PageContext,
  article: Article,
  { listed }: ShownState,
): Promise<Representation> {
  return {
    contentType: 'text/markdown; charset=utf-8',
    text: await articles.markdown(article),
    shared: listed,
    noindex: !listed,
    headers: {
      'access-control-allow-origin': '*',
      'content-security-policy': "default-src 'none'; sandbox",
      link: `<${new URL(canonicalOf(article)).href}>; rel="canonical"`,
      'x-content-trust': 'untrusted',
    },
  };
}
