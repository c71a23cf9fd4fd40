// Every place where something of an article, a comment or a participant shows beyond its own record.
import { beginningOf, mistype } from './discovery-words.ts';
import type { Article, Person, Remark, Stage } from './discovery-scenarios.ts';
import {
  byFollowing,
  byLink,
  byReading,
  listedAtOnce,
  listedSoon,
  never,
  remarkFound,
  remarkRead,
  personFound,
  personRead,
  short,
} from './discovery-rules.ts';
import type { Rule } from './discovery-rules.ts';

/** A request; undefined: the place has nothing to ask for this one. */
export interface PageAddress {
  readonly path: string;
  readonly accept?: string;
}

export interface Surface<S> {
  /** Name of the operation, or method and path of the web. */
  readonly route: string;
  readonly ask: (subject: S, stage: Stage) => PageAddress | string | undefined;
  readonly rule: Rule<S>;
  /** It looks at tokens: everybody asks. Else only those who have none. */
  readonly tokens?: true;
  /** That it answers says it all: there is no text, or none that was not asked for. */
  readonly silent?: true;
}

type Surfaces<S> = Readonly<Record<string, Surface<S>>>;

const formats = ['atom', 'rss', 'json'] as const;

/** A search of the interface and its page. */
function search<S>(
  name: string,
  type: 'article' | 'comment' | 'principal',
  { q, rule }: { readonly q: (subject: S) => string | undefined; readonly rule: Rule<S> },
): Surfaces<S> {
  const asked = (path: string) => (subject: S) => {
    const text = q(subject);
    return text === undefined ? undefined : `${path}?type=${type}&q=${text}`;
  };
  return {
    [`search by ${name}`]: { route: 'search', ask: asked('/v1/search'), rule, tokens: true },
    [`the page of search by ${name}`]: { route: 'GET /search', ask: asked('/search'), rule },
  };
}

function feeds(
  below: string,
  { at, rule }: { readonly at: (subject: Article) => string; readonly rule: Rule<Article> },
): Surfaces<Article> {
  return Object.fromEntries(
    formats.map((format): [string, Surface<Article>] => [
      `feed.${format} below ${below}`,
      { route: `GET ${below}feed.${format}`, ask: (one) => `${at(one)}feed.${format}`, rule },
    ]),
  );
}

const list = (route: string, path: string): Surface<Article> => ({
  route,
  ask: () => path,
  rule: listedAtOnce,
  tokens: true,
});

const lists: Surfaces<Article> = {
  'the latest in the feed': list('readFeed', '/v1/feed?limit=100'),
  'the trending in the feed': {
    ...list('readFeed', '/v1/feed?kind=trending&limit=100'),
    rule: listedSoon,
  },
  'the followed in the feed': {
    ...list('readFeed', '/v1/feed?kind=following&limit=100'),
    rule: byFollowing,
  },
  'its topic in the feed': {
    ...list('readFeed', ''),
    ask: ({ topic }) => `/v1/feed?limit=100&topic=${topic}`,
    rule: listedSoon,
  },
  'its author in the feed': {
    ...list('readFeed', ''),
    ask: ({ author }) => `/v1/feed?limit=100&author=${author.human.id}`,
  },
  'the list of articles': list('listArticles', '/v1/articles?limit=100'),
  'the list of its author': {
    ...list('listArticles', ''),
    ask: ({ author }) => `/v1/articles?limit=100&author=${author.human.id}`,
  },
  'the list of its topic': {
    ...list('listArticles', ''),
    ask: ({ topic }) => `/v1/articles?limit=100&topic=${topic}`,
    rule: listedSoon,
  },
  'the check-in': { ...list('readHome', '/v1/home'), rule: short(byFollowing) },
  'the active topics': { ...list('listTopics', '/v1/topics?limit=100'), rule: listedSoon },
  'the large topics': {
    ...list('listTopics', '/v1/topics?limit=100&order=size'),
    rule: listedSoon,
  },
  'its topic': {
    ...list('readTopic', ''),
    ask: ({ topic }) => `/v1/topics/${topic}`,
    rule: listedSoon,
    silent: true,
  },
  ...search('a word of the title', 'article', { q: ({ title }) => title, rule: listedSoon }),
  ...search('a sentence of the text', 'article', {
    q: ({ deep }) => `"met+a+${deep}+of+stone"`,
    rule: listedSoon,
  }),
  ...search('the beginning of the title', 'article', {
    q: ({ title }) => beginningOf(title),
    rule: listedSoon,
  }),
  ...search('the title with a typo', 'article', {
    q: ({ title }) => mistype(title),
    rule: listedSoon,
  }),
  'search in its topic': {
    ...list('search', ''),
    ask: ({ deep, topic }) => `/v1/search?q=${deep}&topic=${topic}`,
    rule: listedSoon,
  },
  ...search('the title that it had', 'article', { q: ({ old }) => old[0], rule: never }),
};

const linked: Surfaces<Article> = {
  'the edges to what it links to': {
    route: 'listArticleEdges',
    ask: (_, { target }) => `/v1/articles/${target.id}/edges?direction=in&limit=100`,
    rule: byLink,
    tokens: true,
  },
  'the list of edges': {
    route: 'listEdges',
    ask: () => '/v1/edges?limit=100',
    rule: listedAtOnce,
    tokens: true,
  },
  'the graph of what it links to': {
    route: 'readGraph',
    ask: (_, { target }) => `/v1/articles/${target.id}/graph`,
    rule: byLink,
    tokens: true,
  },
  'the same in JSON-LD': {
    route: 'readGraph',
    ask: (_, { target }) => ({
      path: `/v1/articles/${target.id}/graph`,
      accept: 'application/ld+json',
    }),
    rule: byLink,
    tokens: true,
  },
  'the page of what it links to': {
    route: 'GET /@{username}/{place}',
    ask: (_, { target }) => new URL(target.url).pathname,
    rule: short(listedAtOnce),
  },
  'the picture of what it links to': {
    route: 'GET /@{username}/{place}/graph',
    ask: (_, { target }) => `${new URL(target.url).pathname}/graph`,
    rule: short(byLink),
  },
};

const page = (route: string, path: string, rule = listedAtOnce): Surface<Article> => ({
  route: `GET ${route}`,
  ask: () => path,
  rule,
});

const pages: Surfaces<Article> = {
  'the front page': page('/', '/'),
  'the front page of what trends': page('/', '/?kind=trending', listedSoon),
  'the page of topics': page('/topics', '/topics', listedSoon),
  'the page of its topic': {
    ...page('/topics/{slug}', '', listedSoon),
    ask: ({ topic }) => `/topics/${topic}`,
  },
  'the page of its author': {
    ...page('/@{username}', ''),
    ask: ({ author }) => `/@${author.username}`,
  },
  ...feeds('/', { at: () => '/', rule: listedAtOnce }),
  ...feeds('/@{username}/', { at: ({ author }) => `/@${author.username}/`, rule: listedAtOnce }),
  ...feeds('/topics/{slug}/', { at: ({ topic }) => `/topics/${topic}/`, rule: listedSoon }),
  'the index of the sitemap': page('/sitemap.xml', '/sitemap.xml', never),
  'the sitemap': page('/sitemaps/{file}', '/sitemaps/1.xml', listedSoon),
};

const own = (
  route: string,
  ask: (subject: Article, stage: Stage) => PageAddress | string,
): Surface<Article> => ({ route, ask, rule: byReading });

const oembed = (format: string) =>
  own('GET /oembed', ({ id, author }, { server }) => {
    const url = encodeURIComponent(`${server.baseUrl}/@${author.username}/${id}`);
    return `/oembed?format=${format}&url=${url}`;
  });

const article: Surfaces<Article> = {
  'the marked text': {
    ...own('readArticle', ({ id }) => `/v1/articles/${id}?view=spotlight`),
    tokens: true,
  },
  'the text as Markdown': {
    ...own('readArticle', ({ id }) => ({ path: `/v1/articles/${id}`, accept: 'text/markdown' })),
    tokens: true,
  },
  'its page': own('GET /@{username}/{place}', ({ id, author }) => `/@${author.username}/${id}`),
  'its page as Markdown': own('GET /@{username}/{place}', ({ id, author }) => ({
    path: `/@${author.username}/${id}`,
    accept: 'text/markdown',
  })),
  'its page with .md': own(
    'GET /@{username}/{place}',
    ({ id, author }) => `/@${author.username}/${id}.md`,
  ),
  'the picture of what is around it': own(
    'GET /@{username}/{place}/graph',
    ({ id, author }) => `/@${author.username}/${id}/graph`,
  ),
  'how to cite it': own(
    'GET /@{username}/{place}/cite',
    ({ id, author }) => `/@${author.username}/${id}/cite?format=bibtex`,
  ),
  'the feed of its comments': own(
    'GET /@{username}/{place}/comments.atom',
    ({ id, author }) => `/@${author.username}/${id}/comments.atom`,
  ),
  'its preview': oembed('json'),
  'its preview as XML': oembed('xml'),
  'its picture': { ...own('GET /og/{file}', ({ id }) => `/og/${id}.png`), silent: true },
};

export const articleSurfaces: Surfaces<Article> = { ...lists, ...linked, ...pages, ...article };

export const remarkSurfaces: Surfaces<Remark> = {
  ...search('a word of the comment', 'comment', { q: ({ words }) => words[0], rule: remarkFound }),
  'the marked comment': {
    route: 'readComment',
    ask: ({ id }) => `/v1/comments/${id}?view=spotlight`,
    rule: remarkRead,
    tokens: true,
  },
  'the marked comments of the article': {
    route: 'listComments',
    ask: ({ on }) => `/v1/articles/${on.id}/comments?view=spotlight&limit=100`,
    rule: remarkRead,
    tokens: true,
  },
  'the page of the comment': {
    route: 'GET /comments/{id}',
    ask: ({ id }) => `/comments/${id}`,
    rule: remarkRead,
  },
  'the page of the article': {
    route: 'GET /@{username}/{place}',
    ask: ({ on }) => `/@${on.author.username}/${on.id}`,
    rule: remarkRead,
  },
  'the feed of comments': {
    route: 'GET /@{username}/{place}/comments.atom',
    ask: ({ on }) => `/@${on.author.username}/${on.id}/comments.atom`,
    rule: remarkRead,
  },
};

export const personSurfaces: Surfaces<Person> = {
  ...search('the display name', 'principal', { q: ({ display }) => display, rule: personFound }),
  ...search('the username', 'principal', { q: ({ human }) => human.username, rule: personFound }),
  'the page of the participant': {
    route: 'GET /@{username}',
    ask: ({ human }) => `/@${human.username}`,
    rule: personRead,
  },
};
