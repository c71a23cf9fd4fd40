// The names of the log and of the witness of a service. Pure.

/** Returns the name of the log of a service: its address without the scheme. */
export function logOrigin(baseUrl: string): string {
  return `${new URL(baseUrl).host}/log`;
}

/** Returns the name of a service as a witness. */
export function witnessName(baseUrl: string): string {
  return `${logOrigin(baseUrl)}/witness`;
}
