// The rules of edges: what an edge may link, who may see and find it, and where it is stored. Pure.
import type { BodyOf, operations } from '@colophon/contract';
import type { Caller, Fault, Problems } from '#http';
import { sha256Hex } from '#lib/canonical-json';
import { bucketOf, BUCKETS } from '#lib/id';
import { canonicalLink } from '#lib/uri';
import type { EdgeKind, EdgeRow, EdgeTarget, EndRow, Viewer } from '../queries/index.ts';

type Input = BodyOf<typeof operations.createEdge>;

/** Returns the canonical form of an address; every address accepted by an operation has one. */
function addressOf(uri: string): string {
  return canonicalLink(uri) ?? uri;
}

/** Returns the target of an address: edges to it are stored in the bucket of its hash. */
export function targetOfAddress(uri: string): EdgeTarget {
  const key = sha256Hex(addressOf(uri));
  return { bucket: Number.parseInt(key.slice(0, 4), 16) % BUCKETS, key };
}

export function targetOfArticle(id: string): EdgeTarget {
  return { bucket: bucketOf(id), key: id };
}

/** Returns the row key of the second row of an edge. */
export function targetOf(edge: Pick<EdgeRow, 'dst_key' | 'dst_article_id'>): EdgeTarget {
  const { dst_article_id: id, dst_key: key } = edge;
  if (id !== null) return targetOfArticle(id);
  return { bucket: Number.parseInt(key.slice(0, 4), 16) % BUCKETS, key };
}

/** Returns the viewer of edges to a target: a token that lacks articles:read sees what everyone sees. */
export function viewerOf(caller: Caller | null): Viewer {
  if (caller === null) return 'everybody';
  if (caller.scopes.includes('admin:moderate')) return 'all';
  return caller.scopes.includes('articles:read') ? { id: caller.id } : 'everybody';
}

/** The kinds that only the person who answers for both articles may assert. */
const betweenOwnWorks: ReadonlySet<EdgeKind> = new Set(['supersedes', 'retracts']);

/** Returns the faults of a choice of destination: none, or two. */
function choiceFaults(article: string | null, uri: string | null): readonly Fault[] {
  if ((article === null) !== (uri === null)) return [];
  const pointers = ['/dst_article_id', '/dst_uri'] as const;
  return pointers.map((pointer, at) => {
    const other = pointers[1 - at]?.slice(1) ?? '';
    return article === null
      ? {
          pointer,
          code: 'required',
          detail: `is required, or ${other}: name the target of the edge`,
        }
      : {
          pointer,
          code: 'contradiction',
          detail: `and ${other} are both present: send only one of them`,
        };
  });
}

/** Returns the faults of the body that do not depend on the articles. */
export function inputFaults(input: Input): readonly Fault[] {
  const {
    kind,
    src_article_id: source,
    dst_article_id: article = null,
    dst_uri: uri = null,
  } = input;
  const faults = [...choiceFaults(article, uri)];
  if (article === source) {
    const detail = 'is the source article: name another one';
    faults.push({ pointer: '/dst_article_id', code: 'self', detail });
  }
  if (betweenOwnWorks.has(kind) && uri !== null) faults.push(otherPersonFault(kind));
  return faults;
}

function otherPersonFault(kind: EdgeKind): Fault {
  return {
    pointer: '/kind',
    code: 'not-yours',
    detail: `is allowed only between articles of one author or owner: ${kind} states that one replaces or retracts the other. Send dst_article_id with an article of the same author or owner, or another kind`,
  };
}

/** Who answers for an article: its author, and the owner if that is an agent. */
type Accountable = Pick<EndRow, 'author_id' | 'owner_principal_id'>;

/** Returns whether one person answers for both: as the author, or as the owner of the author's agent. */
function isSamePerson(one: Accountable, other: Accountable): boolean {
  return (
    (one.owner_principal_id ?? one.author_id) === (other.owner_principal_id ?? other.author_id)
  );
}

/** The article and comment that the body names, as far as the caller may see them. */
export interface Named {
  readonly destination: EndRow | undefined;
  readonly comment: { readonly article_id: string; readonly status: string } | undefined;
}

/**
 * Requires that everything named in the body exists for this caller. Missing and invisible ones get the same
 * words. @throws not-found
 */
export function requireNamed(problem: Problems<'not-found'>, input: Input, named: Named): void {
  const { dst_article_id: article = null, via_comment_id: via = null } = input;
  if (article !== null && named.destination === undefined) {
    const detail =
      'dst_article_id does not name an article that is visible to you: send the id of one.';
    throw problem('not-found', detail);
  }
  if (via !== null && named.comment === undefined) {
    const detail =
      'via_comment_id does not name a comment that is visible to you: send the id of one, or null.';
    throw problem('not-found', detail);
  }
}

/** Returns the faults of articles and comments that may not be linked in this way. */
export function namedFaults(
  input: Input,
  { source, destination, comment }: Named & { readonly source: EndRow },
): readonly Fault[] {
  const { kind, dst_article_id: article = null } = input;
  const faults: Fault[] = [];
  if (destination !== undefined && betweenOwnWorks.has(kind) && !isSamePerson(source, destination))
    faults.push(otherPersonFault(kind));
  if (comment === undefined) return faults;
  const isNear = [input.src_article_id, article].includes(comment.article_id);
  if (!isNear || comment.status !== 'visible') {
    const detail =
      'does not name a comment on the source or the destination: send the id of one, or null';
    faults.push({ pointer: '/via_comment_id', code: 'elsewhere', detail });
  }
  return faults;
}

/** Returns whether an article was public and was removed: its edges stay, and it shows only its status. */
export function isTakenAway({ status, removed_legally }: EndRow): boolean {
  return removed_legally || ['unpublished', 'removed', 'erased'].includes(status);
}

/**
 * Returns an article in the state that decides who may see its own edges. One that a moderator had hidden
 * counts as hidden after its author removed it: else the author could undo the moderation by removing it.
 */
export function asSource<E extends EndRow>(article: E): E {
  return article.concealed ? { ...article, status: 'hidden' } : article;
}

/** The articles at the ends of an edge, as far as there are any. */
export interface EdgeEnds {
  readonly source: EndRow | undefined;
  readonly destination: EndRow | undefined;
}

/**
 * Returns whether an edge shows its note. The note is a text of the source's author, often about the
 * destination: it goes and returns with either, so that moderators can act on it.
 */
export function showsNote({ source, destination }: EdgeEnds): boolean {
  return [source, destination].every((end) => end === undefined || !isTakenAway(end));
}

export type Change = 'superseded' | 'corrected' | 'retracted';

/** Returns the change that an edge announces for its destination; undefined unless one person answers for both. */
export function changeOf(
  kind: EdgeKind,
  source: Accountable,
  destination: Accountable,
): Change | undefined {
  const changes = {
    supersedes: 'superseded',
    corrects: 'corrected',
    retracts: 'retracted',
  } as const;
  if (!isSamePerson(source, destination)) return undefined;
  return (changes as Partial<Record<EdgeKind, Change>>)[kind];
}

/** Returns the id of the node at the destination of an edge. */
export function destinationOf(edge: Pick<EdgeRow, 'dst_article_id' | 'dst_uri'>): string {
  return edge.dst_article_id ?? addressOf(edge.dst_uri ?? '');
}
