// Finds links whose text names one host and whose address leads to another. Pure.
import { toNormalForm } from './lib/normal-form.ts';
import { hiddenCharacter } from './lib/visible-text.ts';

/** File extensions that are not top-level domains: `node.js` is not a host name, `README.md` may be one. */
const fileEndings = new Set(
  'js ts jsx tsx mjs cjs json css scss html htm xml yml yaml toml txt csv pdf png jpg jpeg gif svg webp exe go rb php lua sql lock vue'.split(
    ' ',
  ),
);

/** Characters that look like a dot, and invisible characters. */
const dots = /[\u3002\uff61]/g;
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

function isHost(piece: string): boolean {
  const labels = piece.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length < 2 || labels.includes('') || fileEndings.has(last)) return false;
  return /^\p{L}[\p{L}\p{M}]+$|^xn--/u.test(last);
}

/** Returns the first part of a text that reads like a host name, in lower case. */
function hostIn(text: string): string | undefined {
  const folded = toNormalForm(text, 'NFKC')
    .replaceAll(dots, '.')
    .replaceAll(unseen, '')
    .toLowerCase();
  if (!folded.includes('.')) return undefined;
  return folded
    .split(/[^\p{L}\p{M}\p{N}.-]+/u)
    .map((piece) => piece.replaceAll(/^[.-]+|(?<![.-])[.-]+$/g, ''))
    .find(isHost);
}

/** Whether `real` is what a reader of `named` expects. */
function isSame(named: string, real: string): boolean {
  const [expected, met] = [named, real].map((host) => host.replace(/^www\./, ''));
  return met === expected || real.endsWith(`.${named}`);
}

/** An invalid escape does not make the rest of the address unknown. */
function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function placeOf(address: string): string {
  const url = new URL(address);
  if (url.protocol === 'mailto:') return decode(url.pathname).split('@').at(-1) ?? '';
  return url.hostname === '' ? url.protocol : url.hostname;
}

/**
 * Returns the host that must be shown after a link, in ASCII (for mail, its domain; for an address without a
 * host, its scheme). It must be shown when the text of the link reads like another host or like one in
 * look-alike letters, or contains characters that hide or reorder text. Returns undefined when the text does
 * not mislead.
 */
export function hostToShow(text: string, address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const place = placeOf(address).toLowerCase();
  const line = text.replaceAll(/\s+/g, ' ');
  if (hiddenCharacter(line) !== undefined) return place;
  const named = hostIn(line);
  if (named === undefined) return undefined;
  const isAscii = /^[\0-\x7f]*$/.test(named);
  return isAscii && isSame(named, place) && !place.startsWith('xn--') ? undefined : place;
}
