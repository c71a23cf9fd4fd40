// The costly calls on texts that the event loop makes, and what bounds each.

/** The package of the program that draws, of which the server loads only the door. */
export const shareImages = '../../share-images/src';
/** The package of the scripts of pages, of which the server loads what bundles them. */
export const islands = '../../islands/src';
/** The package of work on texts. */
export const texts = '../../text/src';

/** Calls by file, and what bounds the texts that they are made on. */
export const bounds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [`${shareImages}/index.ts`]: {
    createHash: 'a title: 300 characters',
    'JSON.stringify': 'a title: 300 characters',
  },
  'areas/articles/queries/renderings.ts': {
    'JSON.stringify':
      'the headings that are listed and the signals that are kept: some hundreds of each',
  },
  'areas/articles/service/excerpts.ts': { excerpt: 'the first and last 4,000 units' },
  'areas/articles/service/feed-texts.ts': {
    preformat: '200,000 units of a text, a million of a feed',
  },
  'areas/articles/subscribers/rendering.ts': { preformat: '2 MiB of HTML, in 8 ms' },
  'areas/articles/rules/articles.ts': {
    canonicalJson: 'metadata: 16 KiB',
    excerpt: 'the first and last 4,000 units',
  },
  'areas/articles/service/exporting.ts': { withFrontMatter: 'facts of one article' },
  'areas/exports/queries/building.ts': { 'JSON.stringify': 'seven numbers' },
  'areas/exports/queries/ending.ts': { 'JSON.stringify': 'seven numbers' },
  'areas/exports/queries/exports.ts': { 'JSON.stringify': 'seven numbers' },
  'areas/exports/rules/index-page.ts': { slugify: 'a title: 300 characters' },
  'areas/exports/service/archive-writer.ts': { createHash: 'one article a turn: 4 MiB, in 20 ms' },
  'areas/exports/service/article-files.ts': { 'JSON.stringify': 'one article a turn: 4 MiB' },
  'areas/exports/service/stages.ts': { 'JSON.stringify': '500 edges, 100 comments, a manifest' },
  'areas/articles/views/articles.ts': {
    withFrontMatter: 'facts of one article; the text is only put behind them',
  },
  'areas/articles/operations/create-revision.ts': { readStored: 'metadata: 16 KiB' },
  'areas/articles/operations/read-diff.ts': { diffLines: 'in a thread, or two texts of 2 KiB' },
  'areas/search/queries/comment-documents.ts': {
    'JSON.stringify': 'the configurations of PostgreSQL',
  },
  'areas/search/queries/documents.ts': {
    'JSON.stringify': 'titles of 25 articles; the texts do not travel',
  },
  'areas/search/service/text-snippets.ts': {
    shownText: '1,000 units around a place',
    wordsLike:
      'a piece of 12,000 units, five of 200,000: a turn between them; 8,000 units of the first 300 words',
    matchesIn: '1,000 units around a place',
    plainText: '1,000 units around a place',
    foundSnippet: 'three places of a text: a turn after each 32 KiB of texts',
  },
  'areas/search/service/search-principals.ts': {
    matchesIn: 'a bio: 2,000 characters, a turn after each 32 KiB',
  },
  'areas/search/rules/search-request.ts': {
    createHash: 'a query: 200 characters',
    'JSON.parse': 'a cursor: part of an address',
    'JSON.stringify': 'a cursor',
  },
  'areas/sitemap/rules.ts': {
    hash: 'a mark of the service',
    'JSON.stringify': 'a mark of the service',
  },
  'areas/search/rules/text-forms.ts': { shownText: '32 Ki units: a turn between them' },
  'areas/search/rules/snippets.ts': {
    matchesIn: 'a bio: 2,000 characters',
    shownText: 'a bio: 2,000 characters',
  },
  'runtime/temporary-folders.ts': { createHash: 'the name of this host: 60 characters' },
  'areas/search/rules/spelling.ts': { createHash: 'a word of a title' },
  'areas/feed/rules/topics.ts': { createHash: 'a topic: 50 characters' },
  'areas/identity/operations/list-tokens.ts': { findTokens: 'the name of a token: 80 characters' },
  'areas/media/operations/create-media.ts': { canonicalJson: 'a record: 64 KiB' },
  'lib/details-tag.ts': { canonicalJson: 'five short values: 3 KiB' },
  'areas/log/rules/leaves.ts': { canonicalJson: 'ids, hashes and times: under 1 KiB' },
  'areas/moderation/queries/decisions.ts': { 'JSON.stringify': 'a body of 64 KiB' },
  'areas/moderation/queries/audit.ts': { 'JSON.stringify': 'a body of 64 KiB' },
  'areas/moderation/service/audit.ts': { canonicalJson: 'a body of 64 KiB' },
  'areas/social/queries/threads.ts': { 'JSON.stringify': 'eight rows of two numbers' },
  'areas/social/operations/read-graph.ts': { 'JSON.stringify': 'a cursor' },
  'http/free-port.ts': { 'JSON.stringify': 'an address' },
  'http/write/idempotency.ts': { canonicalHash: 'in pieces', createHash: 'a key' },
  'http/input/check.ts': { 'JSON.stringify': 'metadata, of a body of 8 MiB' },
  'http/input/headers.ts': { findTokens: 'a header: 16 KiB' },
  'http/invoke.ts': { 'JSON.parse': 'an answer of a write', 'JSON.stringify': 'a page’s own call' },
  'web/shown-again.ts': { 'JSON.stringify': 'a list of 30 works without their texts' },
  'web/pictures/layouts.ts': { hash: '100 KB of numbers', 'JSON.stringify': '100 KB of numbers' },
  'http/metrics/index.ts': { hash: 'figures of the service' },
  'http/payload.ts': { hash: '64 Ki units; longer ones in pieces' },
  'http/respond.ts': {
    'JSON.stringify': 'a problem: 50 faults',
    maskTokens: 'a problem: 50 faults',
  },
  'http/server.ts': { maskTokens: 'a path: 16 KiB' },
  'lib/bucket-secret.ts': { hash: 'a secret: 46 characters' },
  'lib/canonical-json.ts': {
    canonicalHash: 'in pieces',
    canonicalJson: '64 Ki units; longer ones in pieces',
    hash: '64 Ki units; longer ones in pieces',
  },
  'lib/ed25519.ts': { hash: 'seven lines that are signed' },
  'lib/excerpt.ts': {
    plainBlocks: '4,000 units and 4,000 of definitions',
    plainText: '4,000 units',
  },
  [`${texts}/json/json-input.ts`]: { 'JSON.parse': '32 KiB: longer bodies are read in a thread' },
  [`${texts}/json/scan.ts`]: { 'JSON.parse': 'the name of a member, of 32 KiB' },
  'lib/id.ts': { createHash: 'a name or a key' },
  'lib/list-cursor.ts': {
    'JSON.parse': 'a cursor: part of an address',
    'JSON.stringify': 'a cursor',
  },
  'areas/identity/rules/keys.ts': { hash: 'a nonce' },
  'areas/identity/rules/sessions.ts': { hash: 'the 20 digits of a recovery code' },
  'runtime/own-user.ts': { createHash: 'a path of the service' },
  'lib/pieces.ts': {
    createHash: 'in pieces',
    hash: 'a short answer: 64 Ki units',
    'JSON.stringify': 'a piece: 32 Ki units',
  },
  [`${texts}/spotlight/spotlight.ts`]: {
    signalsIn: '2 KiB: longer answers are marked in a thread',
  },
  'lib/sha256.ts': { hash: 'leaves, nodes and keys of a log: under 1 KiB' },
  'lib/slug.ts': {
    readStored: 'metadata: 16 KiB; in lists a turn after each 32 KiB',
    slugify: 'a title: 300 characters',
  },
  'lib/stored-json.ts': {
    'JSON.parse': 'metadata: 16 KiB',
    readStored: 'metadata of an answer of 64 KiB; longer ones take the text as it is',
  },
  [`${texts}/lib/token-text.ts`]: {
    findTokens: '32 KiB: longer bodies are read in a thread',
    hash: 'a token',
  },
  'event-log/append-event.ts': { 'JSON.stringify': 'ids' },
  [`${texts}/json/reading.ts`]: { readJson: '32 KiB: longer bodies are read in a thread' },
  [`${texts}/json/read-json.ts`]: {
    parseJson: '32 KiB: longer bodies are read in a thread',
    readJson: '32 KiB: longer bodies are read in a thread',
    tokenPointers: '32 KiB: longer bodies are read in a thread',
  },
  [`${texts}/rendering.ts`]: { createHash: 'two addresses of the service' },
  [`${texts}/diff-lines.ts`]: { diffLines: 'two texts of 2 KiB; longer ones in a thread' },
  [`${texts}/diffing.ts`]: { diffLines: 'two texts of 2 KiB' },
  'web/forms/answer.ts': { 'JSON.stringify': 'one page of settings' },
  'web/components/notification.ts': { excerpt: 'a comment has at most 8,192 characters' },
  'web/asset-path.ts': { hash: 'files of the service' },
  'web/openapi.ts': { hash: 'the contract, once', 'JSON.stringify': 'the contract, once' },
  'web/citations.ts': { 'JSON.stringify': 'a title and a name: 420 characters' },
  [`${islands}/bundle-islands.ts`]: {
    hash: 'files of the service',
    'JSON.stringify': 'files of the service',
    'JSON.parse': 'files of the service',
  },
  'web/feeds/article-feeds.ts': { absoluteLinks: 'a million units of a feed' },
  'web/feeds/comment-feed.ts': { absoluteLinks: 'thirty comments', prefixIds: 'thirty comments' },
  'web/html.ts': { 'JSON.stringify': 'facts of one article' },
  'web/metadata.ts': { readStored: 'metadata: 16 KiB' },
  'web/oembed.ts': { 'JSON.stringify': 'facts of one article', writable: 'facts of one article' },
  'web/pages/article.ts': { 'JSON.stringify': 'a record without its text, and 200 links' },
  'web/pages/comments.ts': { prefixIds: 'the comments of a page' },
  'web/pages/moderation-audit.ts': { 'JSON.stringify': 'facts of one action' },
  'web/pages/moderation-standing.ts': { 'JSON.stringify': 'the claims of a page' },
  'web/pages/preview.ts': { excerpt: 'the first and last 4,000 units' },
  'web/pages/publish.ts': { excerpt: 'the first and last 4,000 units' },
  'web/pages/review.ts': { excerpt: 'the first and last 4,000 units' },
  'web/pages/problem.ts': { maskTokens: 'a problem: 50 faults' },
  'web/short-texts.ts': {
    hash: 'a comment: 8,192 characters',
    preformat: 'a comment: 8,192 characters',
  },
  'web/reference/operations.ts': { 'JSON.stringify': 'examples of the contract' },
  'web/xml.ts': { writable: 'facts of one article' },
};
