// A name in the wrong spelling. // expect in this file: filename-case
export const wrong = 1;
