// How much the random and repeated tests do: a little in `npm test`, much in `npm run test:long`.

/**
 * `usual` in `npm test`, `long` in `npm run test:long` (which sets LONG=1). `inCi` where CI=true: for the few
 * figures that every submission must reach, such as the writes acknowledged under kill -9.
 */
export function effort(usual: number, long: number, inCi = usual): number {
  if (process.env['LONG']) return long;
  return process.env['CI'] ? inCi : usual;
}
