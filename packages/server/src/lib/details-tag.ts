// The details of an article, as one short value: what readers get of it besides its text.
import { canonicalJson, sha256Hex } from './canonical-json.ts';

interface Details {
  readonly visibility: string;
  readonly language: string;
  readonly disclosure: string;
  readonly canonical_url: string | null;
  readonly featured_media_id: string | null;
}

/** Returns 32 hex digits, which change with each of the members. An approval names what it was shown by it. */
export function detailsTag(of: Details): string {
  const { visibility, language, disclosure, canonical_url, featured_media_id } = of;
  const members = [visibility, language, disclosure, canonical_url, featured_media_id];
  return sha256Hex(canonicalJson(members)).slice(0, 32);
}
