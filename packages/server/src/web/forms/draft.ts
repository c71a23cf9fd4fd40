// A form that was sent and is not done yet, for the page that shows it again: to be looked at, or to go on.

/** What a form returns whose page is shown again with its fields. */
export interface Drafted {
  /** The path of the page. */
  readonly path: string;
  /** The fields that the page shows; those that were sent if undefined. */
  readonly fields?: URLSearchParams;
}

export interface Draft {
  /** The name of the form on its page. */
  readonly name: string;
  readonly fields: URLSearchParams;
}
