// What a form of a page is: the answer to it, and what a page needs to show it again.
import type { Ceremonies, OperationName } from '@colophon/contract';
import type { Caller } from '#http';
import type { PageContext, PageRequest } from '../context.ts';
import type { Drafted } from './draft.ts';
import type { Issued } from './issued.ts';

/** A form as it arrived. */
export interface SentForm {
  readonly asked: PageRequest;
  readonly fields: URLSearchParams;
  /** null only for a form that can be sent signed out. */
  readonly caller: Caller | null;
  /** The Idempotency-Key that was minted with the form. */
  readonly key: string;
}

/** A form that can be sent to a page. */
export interface Form {
  /** The operation or ceremony whose short-window limit it counts against. */
  readonly operation: OperationName | keyof Ceremonies;
  /** Maximum of bytes; 64 KiB if undefined. */
  readonly bytesMax?: number;
  /** It can be sent signed out. */
  readonly isOpen?: true;
  /** The fields that the members of a body come from, by pointer, where the names differ. */
  readonly fieldOf?: Readonly<Record<string, string>>;
  /**
   * Runs the operations, and returns the local path to show afterwards, or what the answer itself shows: a secret, or
   * the page with what was typed, where nothing is carried out yet.
   * @throws their problems
   */
  readonly send: (web: PageContext, sent: SentForm) => Promise<string | Issued | Drafted>;
}

/** The caller of a form that can be sent by the signed in only; the kernel of forms has checked it. */
export function callerOf({ caller }: SentForm): Caller {
  if (caller === null) throw new Error('The form can be sent signed out.');
  return caller;
}

/** Returns a field; '' if it is missing. */
export function textOf({ fields }: Pick<SentForm, 'fields'>, name: string): string {
  return fields.get(name) ?? '';
}

/** Returns an optional text of a form: null where it was left empty. */
export function textOrNull(sent: Pick<SentForm, 'fields'>, name: string): string | null {
  const text = textOf(sent, name).trim();
  return text === '' ? null : text;
}
