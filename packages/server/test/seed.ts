/** From which the inputs of random tests are drawn. `npm test` sets SEED from the commit (scripts/test/seed.ts); SEED repeats a failure. */
export const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
