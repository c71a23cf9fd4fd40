// What an edge may link, who may see and find it, and where it is kept. Pure.
import type { BodyOf, operations } from '@colophon/contract';
import type { Caller, Fault, Problems } from '#http';
import { sha256Hex } from '#lib/canonical-json';
import { bucketOf, BUCKETS } from '#lib/id';
import { canonicalLink } from '#lib/uri';
import type { EdgeKind, EdgeRow, EdgeTarget, EndRow, Viewer } from '../queries/index.ts';

type Wish = BodyOf<typeof operations.createEdge>;

/** The address in its one spelling: what came in by an operation has one. */
export function addressOf(uri: string): string {
  return canonicalLink(uri) ?? uri;
}

/** Links to an address live in the bucket of its hash. */
export function targetOfAddress(uri: string): EdgeTarget {
  const key = sha256Hex(addressOf(uri));
  return { bucket: Number.parseInt(key.slice(0, 4), 16) % BUCKETS, key };
}

export function targetOfArticle(id: string): EdgeTarget {
  return { bucket: bucketOf(id), key: id };
}

/** Where the second row of an edge is. */
export function targetOf(edge: Pick<EdgeRow, 'dst_key' | 'dst_article_id'>): EdgeTarget {
  const { dst_article_id: id, dst_key: key } = edge;
  if (id !== null) return targetOfArticle(id);
  return { bucket: Number.parseInt(key.slice(0, 4), 16) % BUCKETS, key };
}

/** Who looks at what points at a target: a token that lacks articles:read sees what everybody sees. */
export function viewerOf(caller: Caller | null): Viewer {
  if (caller === null) return 'everybody';
  if (caller.scopes.includes('admin:moderate')) return 'all';
  return caller.scopes.includes('articles:read') ? { id: caller.id } : 'everybody';
}

const ofOneHand: ReadonlySet<EdgeKind> = new Set(['supersedes', 'retracts']);

/** What is wrong with a choice of destination: none, or two. */
function choiceFaults(article: string | null, uri: string | null): readonly Fault[] {
  if ((article === null) !== (uri === null)) return [];
  const pointers = ['/dst_article_id', '/dst_uri'] as const;
  return pointers.map((pointer, at) => {
    const other = pointers[1 - at]?.slice(1) ?? '';
    return article === null
      ? {
          pointer,
          code: 'required',
          detail: `is required, or ${other}: say what the edge leads to`,
        }
      : { pointer, code: 'contradiction', detail: `and ${other} are both here: send one of them` };
  });
}

/** What the body says that cannot be, whatever the articles are. */
export function wishFaults(wish: Wish): readonly Fault[] {
  const {
    kind,
    src_article_id: source,
    dst_article_id: article = null,
    dst_uri: uri = null,
  } = wish;
  const faults = [...choiceFaults(article, uri)];
  if (article === source) {
    const detail = 'is the source itself: name another article';
    faults.push({ pointer: '/dst_article_id', code: 'self', detail });
  }
  if (ofOneHand.has(kind) && uri !== null) faults.push(handFault(kind));
  return faults;
}

function handFault(kind: EdgeKind): Fault {
  return {
    pointer: '/kind',
    code: 'not-yours',
    detail: `is only for an article of your own: ${kind} says that one of yours takes the place of another`,
  };
}

type Hands = Pick<EndRow, 'author_id' | 'owner_principal_id'>;

/** Whether one person answers for both: the author, or the owner of the agent that is. */
function isOneHand(one: Hands, other: Hands): boolean {
  return (
    (one.owner_principal_id ?? one.author_id) === (other.owner_principal_id ?? other.author_id)
  );
}

/** What the body names, as far as the caller may see it. */
export interface Named {
  readonly destination: EndRow | undefined;
  readonly comment: { readonly article_id: string; readonly status: string } | undefined;
}

/**
 * Whatever the body names is there for this caller; what is not there and what may not be seen are told
 * in the same words. @throws not-found
 */
export function requireNamed(problem: Problems<'not-found'>, wish: Wish, named: Named): void {
  const { dst_article_id: article = null, via_comment_id: via = null } = wish;
  if (article !== null && named.destination === undefined) {
    const detail = 'dst_article_id names no article that you may see: send the id of one.';
    throw problem('not-found', detail);
  }
  if (via !== null && named.comment === undefined) {
    const detail = 'via_comment_id names no comment that you may see: send the id of one, or null.';
    throw problem('not-found', detail);
  }
}

/** What the body names and may not be linked so. */
export function namedFaults(
  wish: Wish,
  { source, destination, comment }: Named & { readonly source: EndRow },
): readonly Fault[] {
  const { kind, dst_article_id: article = null } = wish;
  const faults: Fault[] = [];
  if (destination !== undefined && ofOneHand.has(kind) && !isOneHand(source, destination))
    faults.push(handFault(kind));
  if (comment === undefined) return faults;
  const isNear = [wish.src_article_id, article].includes(comment.article_id);
  if (!isNear || comment.status !== 'visible') {
    const detail = 'names no comment on the source or the destination: send the id of one, or null';
    faults.push({ pointer: '/via_comment_id', code: 'elsewhere', detail });
  }
  return faults;
}

/** It was there and was taken away: its edges stay, and it shows nothing but that. */
export function isTakenAway({ status, removed_legally }: EndRow): boolean {
  return removed_legally || ['unpublished', 'removed', 'erased'].includes(status);
}

export type Change = 'superseded' | 'corrected' | 'retracted';

/** What an edge says happened to its destination, where whoever answers for that says so. */
export function changeOf(kind: EdgeKind, source: Hands, destination: Hands): Change | undefined {
  const said = { supersedes: 'superseded', corrects: 'corrected', retracts: 'retracted' } as const;
  if (!isOneHand(source, destination)) return undefined;
  return (said as Partial<Record<EdgeKind, Change>>)[kind];
}
