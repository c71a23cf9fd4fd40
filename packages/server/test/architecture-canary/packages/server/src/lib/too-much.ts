// Functions that are too long, too winding or ask for too much, and what is left behind in haste.
export function asksForTooMuch(a: number, b: number, c: number, d: number, e: number): number { // expect: max-params
  return a + b + c + d + e;
}

export function winding(n: number): string { // expect: complexity
  if (n === 1) return 'a';
  if (n === 2) return 'b';
  if (n === 3) return 'c';
  if (n === 4) return 'd';
  if (n === 5) return 'e';
  if (n === 6) return 'f';
  if (n === 7) return 'g';
  if (n === 8) return 'h';
  if (n === 9) return 'i';
  if (n === 10) return 'j';
  return 'k';
}

export function long(): number { // expect: max-lines-per-function
  let sum = 0;
  sum += 0;
  sum += 1;
  sum += 2;
  sum += 3;
  sum += 4;
  sum += 5;
  sum += 6;
  sum += 7;
  sum += 8;
  sum += 9;
  sum += 10;
  sum += 11;
  sum += 12;
  sum += 13;
  sum += 14;
  sum += 15;
  sum += 16;
  sum += 17;
  sum += 18;
  sum += 19;
  sum += 20;
  sum += 21;
  sum += 22;
  sum += 23;
  sum += 24;
  sum += 25;
  sum += 26;
  sum += 27;
  sum += 28;
  sum += 29;
  sum += 30;
  sum += 31;
  sum += 32;
  sum += 33;
  sum += 34;
  sum += 35;
  sum += 36;
  sum += 37;
  sum += 38;
  sum += 39;
  sum += 40;
  sum += 41;
  sum += 42;
  sum += 43;
  sum += 44;
  sum += 45;
  sum += 46;
  sum += 47;
  sum += 48;
  sum += 49;
  sum += 50;
  sum += 51;
  sum += 52;
  sum += 53;
  sum += 54;
  sum += 55;
  sum += 56;
  sum += 57;
  sum += 58;
  sum += 59;
  return sum;
}

export async function later(): Promise<number> {
  return 1;
}

export function hasty(value: any, maybe: string | undefined): boolean { // expect: no-explicit-any
  later(); // expect: no-floating-promises
  console.log(maybe!.length); // expect: no-console, no-non-null-assertion
  setTimeout(async () => later(), 1); // expect: no-misused-promises
  value.anything(); // expect: no-unsafe-call, no-unsafe-member-access
  /* todo: later */ // expect: no-warning-comments
  return maybe == 'x'; // expect: eqeqeq
}

export default winding; // expect: no-default-export
