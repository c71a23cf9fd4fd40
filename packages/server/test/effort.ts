// How much the random and repeated tests do: a little in `npm test`, much in `npm run test:long`.

/** `usual` in `npm test`, `long` in `npm run test:long` (which sets LONG=1). */
export function effort(usual: number, long: number): number {
  return process.env['LONG'] ? long : usual;
}
