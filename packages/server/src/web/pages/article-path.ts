// The last part of the path of an article: a slug, the id, and the ending of its form.
import { problem } from '#http';

const placeForm = /^(?:.*-)?([0-9a-hjkmnp-tv-z]{26})(\.md)?$/isu;

/** Returns the id that a path names, and `.md` if the path ends with it. @throws not-found: it names none */
export function partsOf(place: string): { readonly id: string; readonly ending: string } {
  const [, id, ending = ''] = placeForm.exec(place) ?? [];
  if (id === undefined)
    throw problem(
      'not-found',
      'This page does not exist. The address of an article ends with its id.',
    );
  return { id: id.toUpperCase(), ending };
}
