// Whether a form is from a page of another account than the one that is signed in by now.
import type { Caller } from '#http';

/** Each form of a page names its reader (`pageForm`); one that was made for no account names none. */
export function isOfAnother(fields: URLSearchParams, { id }: Pick<Caller, 'id'>): boolean {
  const reader = fields.get('reader');
  return reader !== null && reader !== id;
}
