// Which of the media types that an operation has the caller would rather have.
import type { AnyOperation } from '@colophon/contract';
import Negotiator from 'negotiator';

const json = 'application/json';

/** RFC 9110 section 12.5.1; JSON where the caller says nothing, or asks for what there is not. */
export function mediaTypeOf({ alsoAs }: AnyOperation, accept: string | undefined): string {
  if (alsoAs === undefined || accept === undefined) return json;
  return new Negotiator({ headers: { accept } }).mediaType([json, ...alsoAs]) ?? json;
}

/** What the answer of an operation depends on beside its address (RFC 9110 section 12.5.5). */
export function varyOf({ alsoAs }: AnyOperation): string {
  return alsoAs === undefined ? 'Authorization' : 'Authorization, Accept';
}
