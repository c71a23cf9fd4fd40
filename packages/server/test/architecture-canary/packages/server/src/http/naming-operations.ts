// The kernel names no operation: what differs between operations is declared in the contract.
export const costs: Readonly<Record<string, number>> = {
  publishArticle: 5,
};

/** A mention of publishArticle in a comment is not a violation. */
export function isFree(name: string): boolean {
  return name === 'readMe';
}
