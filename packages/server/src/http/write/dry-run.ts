// The answer to a dry run, a request with ?dry_run=true.

/** Returns the answer to a dry run: the normal body with `dry_run` in front, and no location. */
export function dryRunAnswer(performed: { readonly payload: string | undefined }): {
  readonly status: 200;
  readonly payload: string;
} {
  const rest =
    performed.payload === undefined || performed.payload === '{}'
      ? '}'
      : `,${performed.payload.slice(1)}`;
  return { status: 200, payload: `{"dry_run":true${rest}` };
}
