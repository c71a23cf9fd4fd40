// The words for a fault of a field, on pages and in their scripts.

/** A fault as a sentence: some begin with a verb, and those of programs end without a full stop. */
export function sentenceOf(fault: string): string {
  const words = /^[a-z]/.test(fault) ? `This ${fault}` : fault;
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}
