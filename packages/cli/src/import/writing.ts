// What the steps of writing an article share.
import { createHash } from 'node:crypto';
import type { Client } from '@colophon/sdk';
import type { Pace } from './pace.ts';
import type { SourceArticle } from './source.ts';
import type { Uploads } from './upload.ts';

export interface Writing {
  readonly client: Client;
  readonly pace: Pace;
  readonly uploads: Uploads;
}

/** The state of an article at the service while it is written. */
export interface Target {
  readonly id: string;
  status: string;
  visibility: string;
  /** The number of the text that readers see; 0 for a draft, -1 for a text of another origin. */
  shown: number;
  hasFeatured: boolean;
  /** Ids of its revisions, oldest first. */
  readonly revisions: string[];
  /** Whether this run created it. */
  readonly isNew: boolean;
  /** Whether this run changed anything. */
  isChanged: boolean;
}

/** Called as soon as the article exists, so that an interrupted import can name it. */
export type OnTarget = (target: Target) => void;

/** The same for every run, so that a repeated call is a replay. At most 255 characters. */
export function stepKey({ key }: SourceArticle, step: string): string {
  const hash = createHash('sha256').update(JSON.stringify([key.service, key.id, step]));
  return `import-${hash.digest('hex')}`;
}
