// Finds how big a title can be in its place, and what is left out of one that does not fit.
import { withBreaks } from './letters.ts';
import type { Picture, Setting, Style } from './typeset.ts';
import { setText } from './typeset.ts';

export interface Room {
  readonly width: number;
  readonly height: number;
}

/** From the headline of one word to that of three hundred characters. */
const sizes = [128, 112, 100, 90, 80, 72, 64, 58, 52, 47, 42] as const;
const smallest = 42;
/** From here on words may be broken where they are wider than the place. */
const breaking = sizes.filter((size) => size <= 72);
const ellipsis = '…';

function fits(picture: Picture, room: Room): boolean {
  return picture.width <= room.width && picture.height <= room.height;
}

/** The greatest place in a row of tries that are good up to some place, and bad from there on. */
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
  return fits(picture, room) ? picture : undefined;
}

/** As much of the beginning as fits, with an ellipsis; whole words where that loses little. */
async function cut(
  signs: readonly string[],
  setting: Setting,
  room: Room,
): Promise<Picture | undefined> {
  const shown = (count: number) => {
    const text = signs.slice(0, count).join('');
    const space = text.lastIndexOf(' ');
    const kept = space > text.length - 16 && space > 0 ? text.slice(0, space) : text;
    return `${kept.replace(/[\p{P}\s]+$/u, '')}${ellipsis}`;
  };
  return lastGood(signs.length, (place) => attempt(shown(place + 1), setting, room));
}

interface Trial {
  readonly sizes: readonly number[];
  readonly style: Omit<Setting, 'size' | 'width'>;
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

/** A size or two smaller, where that saves a line: no word stands alone. */
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

/** Lines of about the same length, as many as before. */
async function balanced(text: string, { picture, setting }: Fit): Promise<Picture> {
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
 * A title as big as its place allows. Words are broken only where they do not fit at the smallest size, and
 * only then something is left out. undefined when not even one sign fits.
 */
export async function fitTitle(
  signs: readonly string[],
  style: Omit<Style, 'size'>,
  room: Room,
): Promise<Picture | undefined> {
  const text = signs.join('');
  const fit = await biggest(text, { sizes, style, room });
  if (fit !== undefined) return balanced(text, await withoutLastLine(text, fit, room));
  const inPieces = { ...style, breakWords: true };
  const broken = await biggest(text, { sizes: breaking, style: inPieces, room });
  if (broken !== undefined) return broken.picture;
  return cut(signs, { ...inPieces, size: smallest, width: room.width }, room);
}
