// The door of the media store: a folder, or anything that speaks S3.
import { openFolderStore } from './folder-store.ts';
import { openS3Store } from './s3-store.ts';
import type { S3Place } from './s3-store.ts';
import type { MediaStore } from './store.ts';

export type { Kept, MediaStore } from './store.ts';

export type MediaPlace = { readonly folder: string } | S3Place;

/** Opens what MEDIA_STORE names. Whether it answers shows when it is used. */
export function openMediaStore(place: MediaPlace): MediaStore {
  return 'folder' in place ? openFolderStore(place.folder) : openS3Store(place);
}
