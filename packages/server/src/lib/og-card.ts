// The content of a share image, the key of an image, and the path of an article's image.
import { createHash } from 'node:crypto';

/** Everything that is drawn, as stored in the database. */
export interface Card {
  readonly title: string;
  /** A BCP 47 tag: it selects the shapes of Han characters. */
  readonly language: string;
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly displayName: string | null;
  /** The owner of an agent; null for a human. */
  readonly ownerUsername: string | null;
  readonly disclosure: 'human_authored' | 'ai_assisted' | 'ai_generated';
  /** The host of the service, without the scheme. */
  readonly host: string;
}

/** Increment it when the drawing changes: every image is then redrawn on its next request. */
const template = 2;

function digest(parts: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([template, ...parts]))
    .digest('hex')
    .slice(0, 32);
}

/** Returns the key of a card. Two cards have the same key exactly when their images are identical. */
export function cardKey(card: Card): string {
  const { title, language, kind, username, displayName, ownerUsername, disclosure, host } = card;
  return digest([title, language, kind, username, displayName, ownerUsername, disclosure, host]);
}

/** The members of an article that are drawn. */
interface Pictured {
  readonly id: string;
  readonly title: string;
  readonly language: string;
  readonly authorship_disclosure: string;
  readonly author: {
    readonly kind: string;
    readonly username: string;
    readonly display_name: string | null;
  };
}

/**
 * Returns the path of an article's share image. The path changes with the image, so that caches never show an
 * outdated image.
 */
export function ogImagePath(article: Pictured): string {
  const { id, title, language, authorship_disclosure: disclosure, author } = article;
  const { kind, username, display_name: displayName } = author;
  return `/og/${id}.png?v=${digest([title, language, disclosure, kind, username, displayName]).slice(0, 16)}`;
}
