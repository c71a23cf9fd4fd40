// A form as a person sends it, and the order in which forms do not take away what others need.
import { sendingOf } from './disguises.ts';
import type { Sending } from './disguises.ts';
import type { MetForm } from './walk.ts';

/** What no test can guess from the field. */
const wanted: Readonly<Record<string, string>> = {
  category: 'spam',
  moderation_action: 'warn',
  username: 'scribe-of-somebody',
  other_language: 'pt-BR',
  canonical_url: 'https://example.org/',
};

/** Returns what is sent for a form that a person has filled in. */
export function sendingOfPerson(form: MetForm): Sending {
  const sending = sendingOf(form);
  const fields = new URLSearchParams(sending.body);
  for (const { name = '' } of form.form.fields)
    if (Object.hasOwn(wanted, name)) fields.set(name, wanted[name] ?? '');
  return { ...sending, body: fields.toString() };
}

/** Forms that others would find nothing after: they are sent last, and closing the account after all. */
const ends = ['unlink', 'unfollow', 'revoke', 'stop', 'delete', 'erase', 'close'];

/** Returns the forms in an order in which each finds what it needs. */
export function inOrder(forms: readonly MetForm[]): readonly MetForm[] {
  return forms.toSorted((one, other) => ends.indexOf(one.name) - ends.indexOf(other.name));
}
