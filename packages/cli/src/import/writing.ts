// What the steps of writing an article share.
import { createHash } from 'node:crypto';
import type { Client } from '@colophon/sdk';
import type { Pace } from './pace.ts';
import type { ImportRecord } from './record.ts';
import type { SourceArticle } from './source.ts';
import type { Uploads } from './upload.ts';

/** An article that others of the source may link to. */
export interface Linkable {
  readonly address: string;
  /** Whether the source shows it to readers. */
  readonly isShown: boolean;
}

export interface Writing {
  readonly client: Client;
  readonly pace: Pace;
  readonly uploads: Uploads;
  /** The articles of the source that are at the service, by their id at the origin. */
  readonly linkables: Map<string, Linkable>;
  readonly record: ImportRecord | undefined;
}

/** The state of an article at the service while it is written. */
export interface Target {
  readonly id: string;
  readonly url: string;
  status: string;
  visibility: string;
  /** The number of the text that readers see; 0 for a draft, -1 for a text of another origin. */
  shown: number;
  hasFeatured: boolean;
  /** Ids of its revisions, oldest first, without `unlinkedId`. */
  readonly revisions: string[];
  /** The revision with which a draft began whose links were missing. It is never published. */
  readonly unlinkedId: string | undefined;
  /** Whether this run created it. */
  readonly isNew: boolean;
  /** Whether this run changed anything. */
  isChanged: boolean;
}

/** Called as soon as the article exists, so that an interrupted import can name it. */
export type OnTarget = (target: Target) => Promise<void>;

/** The same for every run, so that a repeated call is a replay. At most 255 characters. */
export function stepKey({ key }: SourceArticle, step: string): string {
  const hash = createHash('sha256').update(JSON.stringify([key.service, key.id, step]));
  return `import-${hash.digest('hex')}`;
}
