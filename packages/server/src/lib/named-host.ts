// Links that say one place and lead to another: where a link leads, when its text may deceive. Pure.
import { toNormalForm } from './normal-form.ts';
import { hiddenCharacter } from './visible-text.ts';

/** Endings of files that no domain has: `node.js` names no host, `README.md` may. */
const fileEndings = new Set(
  'js ts jsx tsx mjs cjs json css scss html htm xml yml yaml toml txt csv pdf png jpg jpeg gif svg webp exe go rb php lua sql lock vue'.split(
    ' ',
  ),
);

/** What readers see as a dot, and characters that they do not see at all. */
const dots = /[\u3002\uff61]/g;
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

function isHost(piece: string): boolean {
  const labels = piece.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length < 2 || labels.includes('') || fileEndings.has(last)) return false;
  return /^\p{L}[\p{L}\p{M}]+$|^xn--/u.test(last);
}

/** The first thing in a text that reads like the name of a host, in lower case. */
function hostIn(text: string): string | undefined {
  const folded = toNormalForm(text, 'NFKC')
    .replaceAll(dots, '.')
    .replaceAll(unseen, '')
    .toLowerCase();
  if (!folded.includes('.')) return undefined;
  return folded
    .split(/[^\p{L}\p{M}\p{N}.-]+/u)
    .map((piece) => piece.replaceAll(/^[.-]+|[.-]+$/g, ''))
    .find(isHost);
}

/** Whether somebody who expects to come to `named` is not surprised by `real`. */
function isSame(named: string, real: string): boolean {
  const [expected, met] = [named, real].map((host) => host.replace(/^www\./, ''));
  return met === expected || real.endsWith(`.${named}`);
}

/** A lone `%` is no reason to know nothing of the address. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function placeOf(address: string): string {
  const url = new URL(address);
  if (url.protocol === 'mailto:') return decoded(url.pathname).split('@').at(-1) ?? '';
  return url.hostname === '' ? url.protocol : url.hostname;
}

/**
 * The host (of mail: the domain; of what has neither: the scheme) that must be shown behind a link: its
 * text reads like another host, like one in letters that look like others, or holds characters that hide
 * or turn what is read. Undefined when the text does not mislead. The host is in ASCII.
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
