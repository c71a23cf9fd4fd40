// The forms of each page: the name of a form follows `?form=` in the address that it is sent to.
import type { Form } from './form.ts';
import { followForm, unfollowForm } from './follow.ts';
import { readForm } from './mark-read.ts';

export const forms: Readonly<Record<string, Readonly<Record<string, Form>>>> = {
  '/@{username}': { follow: followForm, unfollow: unfollowForm },
  '/notifications': { read: readForm },
};
