// A name that says nothing.
export const anything = 1;
