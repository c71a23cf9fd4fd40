// What the service needs to know of share images: the content of one, its key, its path, and how the program starts.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The program that draws. Its argument is a folder of its own, with `settings` in it. It answers each `Card`
 * that it receives as a message with an `Answer`.
 */
export const program = fileURLToPath(new URL('draw-cards.ts', import.meta.url));

/** The answer of the program to one card. */
export type Answer = { readonly png: Uint8Array } | { readonly failed: string };

/**
 * Returns the file of settings of the font library, and its content. No font folder of the system is used, so
 * that images are the same on every machine.
 */
export function settingsIn(folder: string): { readonly file: string; readonly text: string } {
  return {
    file: join(folder, 'fonts.conf'),
    text: `<?xml version="1.0"?>\n<fontconfig><cachedir>${folder}/cache</cachedir></fontconfig>\n`,
  };
}

/** Returns the whole environment of the program. */
export function environmentIn(folder: string): Readonly<Record<string, string>> {
  return {
    FONTCONFIG_FILE: settingsIn(folder).file,
    PANGOCAIRO_BACKEND: 'fontconfig',
    VIPS_CONCURRENCY: '1',
    MALLOC_ARENA_MAX: '2',
  };
}

/** Everything that is drawn, as stored in the database. */
export interface Card {
  readonly title: string;
  /** A BCP 47 tag: it selects the shapes of Han characters. */
  readonly language: string;
  /** In which the title is written, as on the pages. */
  readonly direction: 'ltr' | 'rtl';
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
const template = 3;

function digest(parts: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([template, ...parts]))
    .digest('hex')
    .slice(0, 32);
}

/** Returns the key of a card. Two cards have the same key exactly when their images are identical. */
export function cardKey(card: Card): string {
  const { title, language, direction, kind, username, displayName, ownerUsername } = card;
  const { disclosure, host } = card;
  const author = [kind, username, displayName, ownerUsername];
  return digest([title, language, direction, ...author, disclosure, host]);
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
