// Brotli for answers: the quality that is worth its processor time, and copies of texts that are sent many times.
import { brotliCompress, constants } from 'node:zlib';
import { promisify } from 'node:util';

/** Shorter answers are sent as they are. */
export const compressedFrom = 1024;

/** A higher quality takes twice the time for a twentieth fewer bytes. */
export const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const compressed = promisify(brotliCompress);

/** Returns a compressed copy, made in a thread of the run time. */
export function brotli(bytes: Buffer): Promise<Buffer> {
  return compressed(bytes, brotliOptions);
}

/** Whether a client accepts Brotli, by its Accept-Encoding (RFC 9110, section 12.5.3). */
export function acceptsBrotli(header: string | readonly string[] | undefined): boolean {
  const codings = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim()));
  return codings.some(([name, weight = 'q=1']) => name === 'br' && !/^q=0(?:\.0*)?$/.test(weight));
}
