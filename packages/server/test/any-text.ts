// Random texts of all code points. fast-check's own unit `binary` makes a table of all of them in each process.
import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };
const basicPlane = 0x1_0000 - surrogates.count;
const codePoints = 0x11_0000 - surrogates.count;

/** Any code point but surrogates as a text. One in ten is ASCII, which parsers treat in special ways. */
export const anyCodePoint = fc
  .oneof(
    { arbitrary: fc.nat({ max: 0x7f }), weight: 1 },
    { arbitrary: fc.nat({ max: basicPlane - 1 }), weight: 4 },
    { arbitrary: fc.nat({ max: codePoints - 1 }), weight: 5 },
  )
  .map((point) =>
    String.fromCodePoint(point < surrogates.first ? point : point + surrogates.count),
  );
