// What a page showed of the values that its form changes: what a person left as it was overwrites nothing that was
// changed meanwhile, in another tab or through the API.
import { sha256Hex } from '#lib/canonical-json';
import type { Attempt } from '../components/forms.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { textOf } from './form.ts';
import type { SentForm } from './form.ts';

/** The field that has the marks. */
const name = 'before';

/** A short mark in place of the value, which may be long. */
function markOf(field: string, value: string): string {
  return `${field}:${sha256Hex(value.trim()).slice(0, 16)}`;
}

/** The hidden field with the marks of the values that the page shows, by the names of the fields. */
export function beforeField(values: Readonly<Record<string, string>>): Html {
  const marks = Object.entries(values).map(([field, value]) => markOf(field, value));
  return html`<input type="hidden" name="${name}" value="${marks.join(' ')}">`;
}

/** Returns the marks that came with a form; '' if there are none, and then all values count as typed. */
export function beforeOf({ fields }: Pick<SentForm, 'fields'>): string {
  return textOf({ fields }, name);
}

/** Whether a value of a form is not the one that its page showed. */
export function isTyped(before: string, field: string, value: string): boolean {
  return !before.split(' ').includes(markOf(field, value));
}

/** Returns what a refused form shows again: what was typed, or else the value as it is now. */
export function typedOr(attempt: Attempt, field: string, now: string): string {
  const value = attempt.value(field, now);
  return isTyped(attempt.value(name), field, value) ? value : now;
}
