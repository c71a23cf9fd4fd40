// Who has a part in what moderators decide on, and so decides nothing there. Pure.

interface Whose {
  readonly author_id: string;
  readonly owner_principal_id: string | null;
}

/** Whether it is the person, a work of theirs, an agent of theirs, or a work of one. */
export function isParty(whose: Whose | undefined, personId: string): boolean {
  return whose?.author_id === personId || whose?.owner_principal_id === personId;
}
