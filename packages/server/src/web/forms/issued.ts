// A secret that a form made, for the page that shows it in the answer to the form.

/** It is in the answer to the form and nowhere else: no address, no cookie and no row contains it. */
export interface Issued {
  /** The address that the page has afterwards, with the fragment that gets the focus. */
  readonly path: string;
  /** What the secret is for, in the words of its owner. */
  readonly name: string;
  /** null when the form was sent before: then the first answer has shown it. */
  readonly secret: string | null;
  /** A token without any scope, which somebody may have issued by mistake. */
  readonly hasNoScopes: boolean;
}
