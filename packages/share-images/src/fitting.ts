// Fits a title into its box: finds the largest font size, and cuts a title that is too long.
import { withBreaks } from './letters.ts';
import type { Picture, Room, Setting } from './typeset.ts';
import { lineHeight, setLine, setText, shrunk } from './typeset.ts';

/** From a headline of one word to a title of three hundred characters. */
const sizes = [128, 112, 100, 90, 80, 72, 64, 58, 52, 47, 42] as const;
const smallest = 42;
/** At this size and below, a word that is wider than the box may be broken. */
const breakingMax = 72;
const ellipsis = '…';

function fits(picture: Picture, room: Room): boolean {
  return picture.width <= room.width && picture.height <= room.height;
}

/** Finds the last good index, where all tries up to some index are good and all later ones are bad. */
async function lastGood<T>(
  count: number,
  attempt: (place: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  let found: T | undefined;
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const good = await attempt(middle);
    if (good === undefined) high = middle - 1;
    else {
      found = good;
      low = middle + 1;
    }
  }
  return found;
}

async function attempt(text: string, setting: Setting, room: Room): Promise<Picture | undefined> {
  const picture = await setText(withBreaks(text), setting);
  return picture && fits(picture, room) ? picture : undefined;
}

/** Adds an ellipsis; cuts at a word boundary when that loses little. */
function cutToCount(signs: readonly string[], count: number): string {
  const text = signs.slice(0, count).join('');
  const space = text.lastIndexOf(' ');
  const kept = space > text.length - 16 && space > 0 ? text.slice(0, space) : text;
  const bare = kept.replace(/[\p{P}\s]+$/u, '');
  return `${bare === '' ? kept : bare}${ellipsis}`;
}

type Look = Omit<Setting, 'size' | 'width'>;

/** The width of a text on one line at the smallest size. */
async function lengthOf(text: string, look: Look): Promise<number> {
  const picture = await setLine(text, { ...look, size: smallest });
  return picture?.width ?? Infinity;
}

/**
 * Whether all lines of the box together could be long enough. A text that fails is not tried: a hundred
 * lines, one of them thirty thousand pixels wide, take gigabytes before the library reports that they do not
 * fit.
 */
function mayFit(length: number, size: number, room: Room): boolean {
  const lines = room.height / (size * lineHeight) + 1;
  return (length * size) / smallest <= lines * room.width;
}

/** Draws as much of the beginning as fits. A first character that is wider than the box is scaled down. */
async function cut(signs: readonly string[], look: Look, room: Room): Promise<Picture> {
  const setting = { ...look, size: smallest, width: room.width };
  const found = await lastGood(signs.length, async (place) => {
    const text = cutToCount(signs, place + 1);
    return mayFit(await lengthOf(text, look), smallest, room)
      ? attempt(text, setting, room)
      : undefined;
  });
  if (found !== undefined) return found;
  const first = await setText(cutToCount(signs, 1), setting);
  if (first === undefined) throw new Error('A character is larger than the image.');
  return shrunk(first, room);
}

interface Trial {
  readonly sizes: readonly number[];
  readonly style: Look;
  readonly room: Room;
}

interface Fit {
  readonly picture: Picture;
  readonly setting: Setting;
}

async function biggest(
  text: string,
  { sizes: tried, style, room }: Trial,
): Promise<Fit | undefined> {
  const ascending = tried.toReversed();
  return lastGood(ascending.length, async (place) => {
    const setting = { ...style, size: ascending[place] ?? smallest, width: room.width };
    const picture = await attempt(text, setting, room);
    return picture && { picture, setting };
  });
}

/** Reduces the size by a step or two if that saves a line, so that no word stands alone. */
async function withoutLastLine(text: string, fit: Fit, room: Room): Promise<Fit> {
  const { size } = fit.setting;
  for (const smaller of sizes.filter((other) => other < size && other > size * 0.75)) {
    const setting = { ...fit.setting, size: smaller };
    const picture = await attempt(text, setting, room);
    if (picture !== undefined && picture.height < fit.picture.height - size * 0.9)
      return { picture, setting };
  }
  return fit;
}

/** Balances the lengths of the lines without adding a line. */
async function balance(text: string, { picture, setting }: Fit): Promise<Picture> {
  if (picture.height < setting.size * 1.5) return picture;
  const steps = Array.from({ length: 8 }, (_, step) =>
    Math.round(picture.width * (1 - step * 0.06)),
  );
  const room = { width: picture.width, height: picture.height + 4 };
  const best = await lastGood(steps.length, (step) => {
    const width = steps[step] ?? picture.width;
    return attempt(text, { ...setting, width }, { ...room, width });
  });
  return best ?? picture;
}

/**
 * Draws a title as large as its box allows. Words are broken only where they do not fit at the smallest size,
 * and only then is text left out.
 */
export async function fitTitle(
  signs: readonly string[],
  style: Look,
  room: Room,
): Promise<Picture> {
  const text = signs.join('');
  const length = await lengthOf(text, style);
  const possible = sizes.filter((size) => mayFit(length, size, room));
  const fit = await biggest(text, { sizes: possible, style, room });
  if (fit !== undefined) return balance(text, await withoutLastLine(text, fit, room));
  const inPieces = { ...style, breakWords: true };
  const breaking = possible.filter((size) => size <= breakingMax);
  const broken = await biggest(text, { sizes: breaking, style: inPieces, room });
  return broken === undefined ? cut(signs, inPieces, room) : broken.picture;
}
