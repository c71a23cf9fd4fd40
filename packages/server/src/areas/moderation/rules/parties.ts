// Whether a person is a party to a moderation decision, and must not decide it. Pure.

interface Whose {
  readonly author_id: string;
  readonly owner_principal_id: string | null;
}

/** Returns whether the target is the person, one of their agents, or a work of either. */
export function isParty(whose: Whose | undefined, personId: string): boolean {
  return whose?.author_id === personId || whose?.owner_principal_id === personId;
}
