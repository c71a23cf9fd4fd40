// The assets that pages load. Each name contains a hash of the content, so that it is cached forever.
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { preferredCoding, problem } from '#http';
import { assetPath } from './asset-path.ts';
import type { Island, Islands } from '@colophon/islands';
import { guidePictures } from './guides/pictures.ts';

interface Asset {
  readonly path: string;
  readonly contentType: string;
  readonly bytes: string | Buffer;
}

/** Takes the comments and the white space between lines out of a style sheet. No string of ours has either. */
function compact(sheet: string): string {
  const lines = sheet.replaceAll(/\/\*[^]*?(?:\*\/|$)/g, '').split('\n');
  let text = '';
  // Not the last unit of `text`: to read it, V8 would copy all of the text for each line.
  let last = ';';
  for (const line of lines.map((one) => one.trim()).filter((one) => one !== '')) {
    text += '{};,'.includes(last) ? line : ` ${line}`;
    last = line.at(-1) ?? ';';
  }
  return text;
}

/** Builds one asset from several files, concatenated in order. */
function assetOf(served: string, contentType: string, files: readonly string[] = [served]): Asset {
  const texts = files.map((file) =>
    readFileSync(new URL(`assets/${file}`, import.meta.url), 'utf8'),
  );
  const text = texts.join('');
  return namedAsset(served, contentType, served.endsWith('.css') ? compact(text) : text);
}

function namedAsset(served: string, contentType: string, bytes: string | Buffer): Asset {
  return { path: assetPath(served, bytes), contentType, bytes };
}

/** The order matters: later rules override earlier ones. */
const sheets = [
  'base.css',
  'frame.css',
  'lists.css',
  'article.css',
  'reading.css',
  'comments.css',
  'pictures.css',
  'forms.css',
  'notifications.css',
  'answer.css',
  'settings.css',
  'reference.css',
  'forced-colors.css',
  'print.css',
];
const style = assetOf('style.css', 'text/css; charset=utf-8', sheets);
/** Of the editor only. */
const editor = assetOf('editor.css', 'text/css; charset=utf-8', [
  'editor.css',
  'editor-text.css',
  'editor-foot.css',
]);
/** Of the pages of the person's own articles. */
const works = assetOf('works.css', 'text/css; charset=utf-8', [
  'works.css',
  'publishing.css',
  'taking-back.css',
  'history.css',
  'revisions.css',
]);
/** Of the pages of published revisions. */
const revisions = assetOf('revisions.css', 'text/css; charset=utf-8', [
  'history.css',
  'revisions.css',
]);
/** Of the picture of a graph. */
const graph = assetOf('graph.css', 'text/css; charset=utf-8');
/** Of the moderation desk, the public ledger and the operator's page. */
const desk = assetOf('desk.css', 'text/css; charset=utf-8', [
  'desk.css',
  'desk-tables.css',
  'history.css',
  'revisions.css',
  'charts.css',
]);
const icon = assetOf('icon.svg', 'image/svg+xml');

const pixels = (file: string) => readFileSync(new URL(`assets/${file}`, import.meta.url));
/** For the home screens of phones. `npm run icons` draws it and the next one from the icon. */
const touchIcon = namedAsset('touch-icon.png', 'image/png', pixels('touch-icon.png'));
/** For programs that ask for this address without reading a page. */
const favicon: Asset = {
  path: '/favicon.ico',
  contentType: 'image/vnd.microsoft.icon',
  bytes: pixels('favicon.ico'),
};

const files = { style, editor, works, revisions, graph, desk, icon, touchIcon } as const;

export const assetPaths = {
  style: style.path,
  editor: editor.path,
  works: works.path,
  revisions: revisions.path,
  graph: graph.path,
  desk: desk.path,
  icon: icon.path,
  touchIcon: touchIcon.path,
} as const;

const scriptOf = (name: string, text: string) =>
  namedAsset(`${name}.js`, 'text/javascript; charset=utf-8', text);

export type ScriptPaths = Readonly<Record<Island, string>>;

/** Returns the path of the script of each island. */
export function scriptPaths(islands: Islands): ScriptPaths {
  const paths = Object.entries(islands).map(([name, text]) => [name, scriptOf(name, text).path]);
  return Object.fromEntries(paths) as ScriptPaths;
}

const compress = promisify(brotliCompress);
/** Of a text beyond this, the last percents take half a second. */
const smallestMax = 100_000;

/** Returns an asset as small as brotli makes it, a sixth smaller than an answer that is compressed on its way. */
function compressAsset(bytes: string): Promise<Buffer> {
  const quality = bytes.length > smallestMax ? 9 : constants.BROTLI_MAX_QUALITY;
  return compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

/**
 * Adds the path of each asset. Names of earlier versions return 404: a client with an old page loads the page
 * again too.
 */
export function addAssets(app: FastifyInstance, islands: Islands): void {
  const scripts = Object.entries(islands).map(([name, text]) => scriptOf(name, text));
  const pictures = guidePictures.map(({ path, bytes }) => ({
    path,
    contentType: 'image/webp',
    bytes,
  }));
  const all: readonly Asset[] = [...Object.values(files), ...scripts, ...pictures];
  const byPath = new Map(all.map((asset) => [asset.path, asset]));
  const small = new Map<string, Promise<Buffer>>();
  const smallOf = (asset: Asset, text: string): Promise<Buffer> => {
    const made = small.get(asset.path) ?? compressAsset(text);
    small.set(asset.path, made);
    return made;
  };
  app.get(favicon.path, (_request, reply) =>
    reply
      .headers({ 'cache-control': 'public, max-age=86400', 'content-type': favicon.contentType })
      .send(favicon.bytes),
  );
  app.get('/assets/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    const asset = byPath.get(`/assets/${name}`);
    if (asset === undefined) throw problem('not-found', 'No asset has this name.');
    void reply.headers({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': asset.contentType,
    });
    const { bytes: whole } = asset;
    // Pictures are as small as they get.
    if (
      typeof whole !== 'string' ||
      preferredCoding(request.headers['accept-encoding'] ?? '') !== 'br'
    )
      return reply.send(whole);
    const bytes = await smallOf(asset, whole);
    return reply.headers({ 'content-encoding': 'br', vary: 'accept-encoding' }).send(bytes);
  });
}
