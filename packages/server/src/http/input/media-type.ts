// Content negotiation: which of the available media types the caller prefers.
import type { AnyOperation } from '@colophon/contract';
import Negotiator from 'negotiator';

const json = 'application/json';

/** A parameter of a media range, except its weight; a quoted value may contain any character. */
const parameter = /;(?![ \t]*q[ \t]*=)[^=,;]*(?:=[ \t]*(?:"(?:[^"\\]|\\.)*"?)?[^,;]*)?/gi;

/**
 * Returns a negotiator (RFC 9110 section 12.5.1). Each offered type has one form, so a range matches it
 * regardless of its parameters: `text/markdown; charset=utf-8` is exactly what is available, and
 * `variant=GFM` is close to it.
 */
function negotiator(accept: string | undefined): Negotiator {
  return new Negotiator({ headers: { accept: accept?.replaceAll(parameter, '') } });
}

/** Returns the preferred one of these types; undefined if none is acceptable. */
export function preferredType(
  accept: string | undefined,
  types: readonly string[],
): string | undefined {
  return negotiator(accept).mediaType(types);
}

/** Whether a type is requested by its full name, and not only by a range. */
export function isNamed(accept: string | undefined, type: string): boolean {
  return negotiator(accept).mediaTypes().includes(type);
}

/** Returns the preferred media type; JSON if the caller states none or an unavailable one. */
export function mediaTypeOf({ alsoAs }: AnyOperation, accept: string | undefined): string {
  if (alsoAs === undefined || accept === undefined) return json;
  return preferredType(accept, [json, ...alsoAs]) ?? json;
}

/**
 * Returns the Vary header: what the answer of an operation depends on besides its address (RFC 9110 section
 * 12.5.5).
 */
export function varyOf({ alsoAs }: AnyOperation): string {
  return alsoAs === undefined ? 'Authorization' : 'Authorization, Accept';
}
