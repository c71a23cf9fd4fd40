// An operation that the contract does not have.
export const bakeBread = 1;
