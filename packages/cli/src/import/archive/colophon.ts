// An export of Colophon as the source of an import.
import { parseJson } from '../json.ts';
import { isDamage, isRefusal, refusal } from '../source.ts';
import type {
  AddressOf,
  Source,
  SourceArticle,
  SourceMedia,
  SourceRevision,
  Unfit,
  UrlOf,
} from '../source.ts';
import { requireChecksums } from './checksums.ts';
import type { Checking } from './checksums.ts';
import { evidenceOf } from './evidence.ts';
import { archiveLinks, mediaLinks, rewriteLinks } from './media-links.ts';
import { readArticleFile, readHead, readMediaRecord } from './records.ts';
import type { ArticleFile, Manifest, MediaFileRecord, RevisionRecord } from './records.ts';
import { manifestOf } from './verify-archive.ts';
import { openZip } from './zip.ts';
import type { Zip } from './zip.ts';

const MiB = 1024 * 1024;
/** All revisions of one article, which are read together. */
const articleMax = 256 * MiB;
const recordsMax = 256 * MiB;
const proofMax = MiB;

interface Archive {
  readonly zip: Zip;
  readonly manifest: Manifest;
  readonly media: ReadonlyMap<string, SourceMedia>;
  readonly bases: readonly string[];
  /** Ids of its articles. */
  readonly ids: ReadonlySet<string>;
}

interface Addresses {
  readonly urlOf: UrlOf;
  readonly addressOf: AddressOf;
}

async function json(zip: Zip, name: string, most: number): Promise<unknown> {
  return parseJson((await zip.read(name, most)).toString(), name);
}

function mediaOf(zip: Zip, record: MediaFileRecord, file: string, sha256: string): SourceMedia {
  return {
    name: file,
    kind: record.kind,
    size: zip.sizeOf(file),
    altText: record.alt_text,
    sha256,
    read: async () => new Uint8Array(await zip.read(file, zip.sizeOf(file))),
  };
}

/** Returns the files of the archive by the id of their record. */
async function readMedia(zip: Zip, hashes: ReadonlyMap<string, string>) {
  const files = new Map(
    zip.names.flatMap((name) => {
      const [, id] = /^media\/([0-9A-HJKMNP-TV-Z]{26})\.\w+$/.exec(name) ?? [];
      return id === undefined ? [] : [[id, name] as const];
    }),
  );
  const media = new Map<string, SourceMedia>();
  const bases = new Set<string>();
  const lines = zip.has('data/media.jsonl')
    ? (await zip.read('data/media.jsonl', recordsMax)).toString().split('\n')
    : [];
  for (const line of lines) {
    if (line === '') continue;
    const record = readMediaRecord(parseJson(line, 'data/media.jsonl'));
    const file = files.get(record.id);
    const sha256 = file === undefined ? undefined : hashes.get(file);
    if (file !== undefined && sha256 !== undefined)
      media.set(record.id, mediaOf(zip, record, file, sha256));
    const end = `/media/${record.id}`;
    if (record.url?.endsWith(end) === true) bases.add(record.url.slice(0, -end.length));
  }
  return { media, bases };
}

/** Returns the indexes of the texts to publish; the one that readers see is the last. */
function publicationsOf({ article, revisions }: ArticleFile): readonly number[] {
  if (article.status !== 'published') return [];
  const shown = revisions.findIndex(({ revision_id }) => revision_id === article.revision_id);
  if (shown < 0) throw refusal('The export does not contain the published revision.');
  const published = revisions.flatMap(({ published_at }, index) =>
    published_at === null || index === shown ? [] : [index],
  );
  return [...published, shown];
}

const gone = new Set(['removed', 'erased']);

const draftNotes: Readonly<Record<string, string>> = {
  hidden: 'It was hidden by a moderator at its origin, and is imported as a draft.',
  unpublished: 'It was unpublished at its origin, and is imported as a draft.',
};

/** The evidence of each revision, or why the article is not imported. */
async function evidencesOf({ zip }: Archive, file: ArticleFile) {
  const notes: string[] = [];
  const evidence = new Map<string, Readonly<Record<string, unknown>>>();
  for (const revision of file.revisions) {
    const name = `proofs/${file.article.id}/${revision.revision_id}.json`;
    const proof = zip.has(name) ? await json(zip, name, proofMax) : undefined;
    const found = await evidenceOf(file, revision, proof);
    if ('changed' in found)
      throw refusal(
        `The text of revision ${revision.revision_id} is not genuine: ${found.changed}`,
      );
    if (found.members !== undefined) evidence.set(revision.revision_id, found.members);
    if (found.fault !== undefined)
      notes.push(`The signature of revision ${revision.revision_id} is left out: ${found.fault}`);
  }
  return { notes, evidence };
}

type Evidences = Awaited<ReturnType<typeof evidencesOf>>['evidence'];

function isEvidence(evidence: Readonly<Record<string, unknown>> | undefined): boolean {
  return evidence !== undefined && 'signature' in evidence;
}

function revisionOf(
  { bases, media }: Archive,
  { article }: ArticleFile,
  [revision, evidence]: readonly [RevisionRecord, Readonly<Record<string, unknown>> | undefined],
  { urlOf, addressOf }: Addresses,
): SourceRevision {
  const isSigned = isEvidence(evidence);
  const { text, links } = rewriteLinks(revision.content, bases, (id) => {
    const used = media.get(id);
    if (used !== undefined) return urlOf(used);
    return isSigned ? undefined : addressOf(id);
  });
  const isRewritten = text !== revision.content;
  const { created_at, published_at } = revision;
  return {
    title: revision.title,
    content: text,
    metadata: revision.metadata,
    contentHash: revision.content_hash,
    origin: [
      {
        url: article.url,
        revision_id: revision.revision_id,
        created_at,
        ...(published_at === null ? {} : { published_at }),
        article_created_at: article.created_at,
        article_updated_at: article.updated_at,
      },
      ...(evidence === undefined ? [] : [evidence]),
      ...(isRewritten && links !== undefined ? [{ links }] : []),
    ],
  };
}

function articleOf(
  archive: Archive,
  file: ArticleFile,
  { notes, evidence }: { readonly notes: readonly string[]; readonly evidence: Evidences },
): SourceArticle {
  const { article, revisions } = file;
  const ids = new Set(
    revisions.flatMap(({ content }) => mediaLinks(content, archive.bases).map(({ id }) => id)),
  );
  const featured = archive.media.get(article.featured_media_id ?? '');
  const used = [...ids].flatMap((id) => archive.media.get(id) ?? []);
  const missing = [...ids].filter((id) => !archive.media.has(id));
  const statusNote = draftNotes[article.status];
  const isSigned = revisions.map(({ revision_id }) => isEvidence(evidence.get(revision_id)));
  const contents = revisions.map(({ content }) => content);
  const linksOf = (areSigned: boolean) =>
    archiveLinks(
      contents.filter((_, index) => isSigned[index] === areSigned),
      archive,
    );
  return {
    key: { service: archive.manifest.origin, id: article.id },
    title: article.title,
    visibility: article.visibility,
    language: article.language,
    disclosure: article.authorship_disclosure,
    canonicalUrl: article.canonical_url,
    publishedAt: article.published_at ?? undefined,
    contentHashes: revisions.map(({ content_hash }) => content_hash),
    publications: publicationsOf(file),
    media: featured === undefined || used.includes(featured) ? used : [...used, featured],
    featured,
    notes: [
      ...(statusNote === undefined ? [] : [statusNote]),
      ...missing.map((id) => `The export does not contain the file /media/${id}. Its link stays.`),
      ...[...linksOf(true).values()].map(
        (link) => `${link} stays in a text that is signed at its origin.`,
      ),
      ...notes,
    ],
    linksTo: linksOf(false),
    revisions: async (urlOf, addressOf = () => undefined) =>
      revisions.map((revision) =>
        revisionOf(archive, file, [revision, evidence.get(revision.revision_id)], {
          urlOf,
          addressOf,
        }),
      ),
  };
}

/** Returns the id in the name of an article's file. */
function idIn(name: string): string {
  return name.slice('data/articles/'.length, -'.json'.length);
}

async function readArticle(archive: Archive, name: string): Promise<SourceArticle | Unfit> {
  const id = idIn(name);
  const key = { service: archive.manifest.origin, id };
  let title = id;
  try {
    const raw = await json(archive.zip, name, articleMax);
    const head = readHead(raw);
    title = head.title;
    if (gone.has(head.status)) return { key, title, unfit: `It was ${head.status} at its origin.` };
    const file = readArticleFile(raw, name);
    return articleOf(archive, file, await evidencesOf(archive, file));
  } catch (error) {
    if (isRefusal(error)) return { key, title, unfit: error.message };
    throw error;
  }
}

async function* articlesOf(
  archive: Archive,
  names: readonly string[],
): AsyncGenerator<SourceArticle | Unfit> {
  for (const name of names) yield await readArticle(archive, name);
}

const leftOut = (zip: Zip): readonly string[] =>
  [
    [
      'data/comments.jsonl',
      'Comments are not imported: they belong to conversations at the origin.',
    ],
    [
      'data/edges.jsonl',
      'Edges are not imported: they connect articles by their ids at the origin.',
    ],
    ['data/follows.jsonl', 'Follows are not imported: they name accounts of the origin.'],
    ['data/keys.jsonl', 'Signing keys are not imported: register a key at this service.'],
  ].flatMap(([name = '', sentence = '']) =>
    zip.has(name) && zip.sizeOf(name) > 0 ? [sentence] : [],
  );

/**
 * Opens an export. The whole archive is read once, and every checksum compared.
 *
 * @throws a refusal for an archive that is damaged, changed, or of another format
 */
export async function openColophonArchive(path: string, checking: Checking = {}): Promise<Source> {
  const zip = await openZip(path);
  try {
    const manifest = await manifestOf(zip);
    const hashes = await requireChecksums(zip, manifest.checksumsSha256, checking).catch(
      (error: unknown) => {
        throw isDamage(error) ? refusal(`${error.message} Nothing was imported.`, error) : error;
      },
    );
    const { media, bases } = await readMedia(zip, hashes);
    const names = zip.names.filter((name) => /^data\/articles\/\w+\.json$/.test(name)).toSorted();
    const ids = new Set(names.map(idIn));
    const archive = { zip, manifest, media, bases: [...bases, manifest.origin], ids };
    return {
      title: `export of ${manifest.username} at ${manifest.origin}`,
      articleCount: names.length,
      leftOut: leftOut(zip),
      articles: (only) =>
        articlesOf(
          archive,
          names.filter((name) => only?.has(idIn(name)) !== false),
        ),
      [Symbol.asyncDispose]: () => zip[Symbol.asyncDispose](),
    };
  } catch (error) {
    await zip[Symbol.asyncDispose]();
    throw error;
  }
}
