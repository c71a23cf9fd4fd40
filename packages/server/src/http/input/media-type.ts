// Which of the media types that there are the caller would rather have.
import type { AnyOperation } from '@colophon/contract';
import Negotiator from 'negotiator';

const json = 'application/json';

/** A parameter of a range, but for its weight; in quotes its value may hold anything. */
const parameter = /;(?![ \t]*q[ \t]*=)[^=,;]*(?:=[ \t]*(?:"(?:[^"\\]|\\.)*"?)?[^,;]*)?/gi;

/**
 * RFC 9110 section 12.5.1. Each type that is offered here has one form, so that a range asks for it whatever
 * its parameters: `text/markdown; charset=utf-8` is what there is, and `variant=GFM` comes nearest to it.
 */
function negotiator(accept: string | undefined): Negotiator {
  return new Negotiator({ headers: { accept: accept?.replaceAll(parameter, '') } });
}

/** The first choice among these types; undefined where none of them is acceptable. */
export function preferredType(
  accept: string | undefined,
  types: readonly string[],
): string | undefined {
  return negotiator(accept).mediaType(types);
}

/** Whether a type is asked for by its name, and not only by a range of many. */
export function isNamed(accept: string | undefined, type: string): boolean {
  return negotiator(accept).mediaTypes().includes(type);
}

/** JSON where the caller says nothing, or asks for what there is not. */
export function mediaTypeOf({ alsoAs }: AnyOperation, accept: string | undefined): string {
  if (alsoAs === undefined || accept === undefined) return json;
  return preferredType(accept, [json, ...alsoAs]) ?? json;
}

/** What the answer of an operation depends on beside its address (RFC 9110 section 12.5.5). */
export function varyOf({ alsoAs }: AnyOperation): string {
  return alsoAs === undefined ? 'Authorization' : 'Authorization, Accept';
}
