// An article as Markdown: what is known of it in front, then the text byte for byte.
import { canonicalOf } from './pieces.ts';
import type { Article, Standing } from './parts.ts';
import type { Representation } from './respond.ts';
import type { Web } from './web.ts';

export async function markdownOf(
  { articles }: Web,
  article: Article,
  { listed }: Standing,
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
