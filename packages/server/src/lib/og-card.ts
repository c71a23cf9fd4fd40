// What a share image shows, the key of an image, and the address of an article's one.
import { createHash } from 'node:crypto';

/** Everything that is drawn, as it stands in the database. */
export interface Card {
  readonly title: string;
  /** A BCP 47 tag: it decides which shapes Han characters have. */
  readonly language: string;
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly displayName: string | null;
  /** Of an agent; null for a person. */
  readonly ownerUsername: string | null;
  readonly disclosure: 'human_authored' | 'ai_assisted' | 'ai_generated';
  /** Of the service, as people write it: without the scheme. */
  readonly host: string;
}

/** To be raised when the drawing changes: every image is then made anew when somebody asks for it. */
const template = 2;

function digest(parts: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([template, ...parts]))
    .digest('hex')
    .slice(0, 32);
}

/** Two cards have one key exactly when their images are the same. */
export function cardKey(card: Card): string {
  const { title, language, kind, username, displayName, ownerUsername, disclosure, host } = card;
  return digest([title, language, kind, username, displayName, ownerUsername, disclosure, host]);
}

/** What an article's record says of what is drawn. */
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
 * Path of an article's share image. The address changes with what the image shows, so that whoever keeps
 * images by their address never shows an old one.
 */
export function ogImagePath(article: Pictured): string {
  const { id, title, language, authorship_disclosure: disclosure, author } = article;
  const { kind, username, display_name: displayName } = author;
  return `/og/${id}.png?v=${digest([title, language, disclosure, kind, username, displayName]).slice(0, 16)}`;
}
