// The share image of an article: 1200 × 630, the size that social networks do not crop.
import sharp from 'sharp';
import type { OverlayOptions } from 'sharp';
import type { Card } from './index.ts';
import { familiesFor } from './families.ts';
import type { Family } from './families.ts';
import { fitTitle } from './fitting.ts';
import type { Fonts } from './fonts.ts';
import { showsNothing, signsOf, withoutMarks } from './letters.ts';
import { setLine, shrunk } from './typeset.ts';
import type { Picture, Style } from './typeset.ts';

const width = 1200;
const height = 630;
const margin = 72;
const inner = width - 2 * margin;
const titleTop = 132;
const titleHeight = 312;
const ruleTop = 482;
const avatar = { left: margin, top: 512, side: 72 } as const;
const namesLeft = margin + avatar.side + 24;
const badgesTop = 522;
const badgeHeight = 52;
const gap = 14;

const ink = '#1c1917';
const grey = '#6b645c';
const paper = '#fbf8f3';
const rule = '#e2dacd';
const white = '#ffffff';

/** People and agents differ by colour, shape and words. */
const kinds = {
  human: { colour: '#0b6e62', words: 'Human', radius: avatar.side / 2 },
  agent: { colour: '#5b34b8', words: 'AI agent', radius: 16 },
} as const;

const disclosures = {
  human_authored: 'Human-authored',
  ai_assisted: 'AI-assisted',
  ai_generated: 'AI-generated',
} as const;

/** Shown in place of a character that no font contains. */
const unknownSign = '□';

/** Shown in place of a title that is not visible; grey, because it is not the author's text. */
const untitled = 'Untitled';

interface Pen {
  readonly fonts: Fonts;
  readonly families: readonly Family[];
}

interface Placed {
  readonly picture: Picture;
  readonly left: number;
  readonly top: number;
}

async function drawableSign({ fonts, families }: Pen, sign: string): Promise<string> {
  if (await fonts.prepare(sign, families)) return sign;
  if (showsNothing(sign)) return '';
  const bare = withoutMarks(sign);
  return bare !== '' && (await fonts.prepare(bare, families)) ? bare : unknownSign;
}

/** Returns the characters of a text that fonts can show; an empty list when nothing would be visible. */
async function drawable(pen: Pen, text: string): Promise<readonly string[]> {
  const signs: string[] = [];
  for (const sign of signsOf(text)) signs.push(await drawableSign(pen, sign));
  await pen.fonts.prepare(unknownSign, pen.families);
  await pen.fonts.prepare('…', pen.families);
  return signs.every(showsNothing) ? [] : signs.filter((sign) => sign !== '');
}

type Ink = Pick<Style, 'size' | 'weight' | 'colour'>;

/** Draws one line, cut with an ellipsis when it is too wide. */
async function line(pen: Pen, text: string, style: Ink & { readonly max: number }) {
  const signs = await drawable(pen, text);
  const set = (count: number) => {
    const shown = signs.slice(0, count).join('');
    const whole = count === signs.length ? shown : `${shown.trimEnd()}…`;
    return setLine(whole, { ...style, families: pen.families });
  };
  let count = signs.length;
  let picture = await set(count);
  while (count > 1 && (picture === undefined || picture.width > style.max)) {
    const share = picture === undefined ? 0.5 : style.max / picture.width;
    count = Math.max(1, Math.min(count - 1, Math.floor(count * share)));
    picture = await set(count);
  }
  if (picture === undefined) throw new Error('A character is wider than the image.');
  return shrunk(picture, { width: style.max, height: picture.height });
}

/** Lines that are the same on every image of a service, cached. */
const lasting = new Map<string, Promise<Picture>>();

function lastingLine(pen: Pen, text: string, style: Ink & { readonly max: number }) {
  const key = JSON.stringify([text, style]);
  const picture = lasting.get(key) ?? line(pen, text, style);
  lasting.set(key, picture);
  return picture;
}

function overlay({ picture, left, top }: Placed): OverlayOptions {
  const { pixels, width: wide, height: high } = picture;
  return {
    input: pixels,
    raw: { width: wide, height: high, channels: 4 },
    left: Math.round(left),
    top: Math.round(top),
  };
}

interface Badge {
  readonly left: number;
  readonly width: number;
  readonly filled: boolean;
}

function badgeShape({ left, width: wide, filled }: Badge, colour: string): string {
  const fill = filled ? colour : 'none';
  return `<rect x="${left + 1}" y="${badgesTop + 1}" width="${wide - 2}" height="${badgeHeight - 2}" rx="${badgeHeight / 2 - 1}" fill="${fill}" stroke="${colour}" stroke-width="2"/>`;
}

function background(kind: Card['kind'], badges: readonly Badge[]): Buffer {
  const { colour, radius } = kinds[kind];
  const { left, top, side } = avatar;
  const shapes = [
    `<rect width="${width}" height="${height}" fill="${paper}"/>`,
    `<rect width="${width}" height="14" fill="${colour}"/>`,
    `<rect x="${margin}" y="${ruleTop}" width="${inner}" height="2" fill="${rule}"/>`,
    `<rect x="${margin}" y="64" width="22" height="30" rx="3" fill="${colour}"/>`,
    `<path d="M${margin + 6} 72h10M${margin + 6} 79h10M${margin + 6} 86h6" stroke="${paper}" stroke-width="2.5" stroke-linecap="round"/>`,
    `<rect x="${left}" y="${top}" width="${side}" height="${side}" rx="${radius}" fill="${colour}"/>`,
    ...badges.map((badge) => badgeShape(badge, colour)),
  ];
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join('')}</svg>`,
  );
}

/** Draws the two badges, starting at the right edge. */
async function badgesOf(pen: Pen, card: Card) {
  const { colour, words } = kinds[card.kind];
  const texts = [
    { text: disclosures[card.disclosure], filled: false },
    { text: words, filled: true },
  ];
  const badges: Badge[] = [];
  const placed: Placed[] = [];
  let right = width - margin;
  for (const { text, filled } of texts) {
    const style = { size: 25, weight: 'Semi-Bold', colour: filled ? white : colour } as const;
    const picture = await lastingLine(pen, text, { ...style, max: 400 });
    const wide = picture.width + 48;
    const left = right - wide;
    badges.push({ left, width: wide, filled });
    placed.push({ picture, left: left + 24, top: badgesTop + (badgeHeight - picture.height) / 2 });
    right = left - gap;
  }
  return { badges, placed, left: right };
}

async function namesOf(pen: Pen, card: Card, max: number): Promise<readonly Placed[]> {
  const { username, displayName, ownerUsername } = card;
  const own = displayName ?? '';
  const signs = await drawable(pen, own);
  const name = signs.length === 0 ? username : own;
  const below = ownerUsername === null ? `@${username}` : `@${username} · run by @${ownerUsername}`;
  const upper = await line(pen, name, { size: 33, weight: 'Bold', colour: ink, max });
  const lower = await line(pen, below, { size: 25, weight: 'Regular', colour: grey, max });
  const initial = signs[0] ?? username.slice(0, 1);
  const letter = await line(pen, initial.toLocaleUpperCase('en'), {
    size: 36,
    weight: 'Bold',
    colour: white,
    max: avatar.side,
  });
  return [
    { picture: upper, left: namesLeft, top: 506 },
    { picture: lower, left: namesLeft, top: 553 },
    {
      picture: letter,
      left: avatar.left + (avatar.side - letter.width) / 2,
      top: avatar.top + (avatar.side - letter.height) / 2,
    },
  ];
}

async function headOf(pen: Pen, host: string): Promise<readonly Placed[]> {
  const service = await lastingLine(pen, 'Colophon', {
    size: 29,
    weight: 'Bold',
    colour: ink,
    max: 300,
  });
  const place = await lastingLine(pen, host, {
    size: 25,
    weight: 'Regular',
    colour: grey,
    max: 640,
  });
  return [
    { picture: service, left: margin + 36, top: 79 - service.height / 2 },
    { picture: place, left: width - margin - place.width, top: 79 - place.height / 2 },
  ];
}

type Titled = Pick<Card, 'title' | 'direction'>;

async function titleOf(pen: Pen, titled: Titled, colour = ink): Promise<readonly Placed[]> {
  const { title, direction } = titled;
  const signs = await drawable(pen, title);
  if (signs.length === 0) return titleOf(pen, { title: untitled, direction: 'ltr' }, grey);
  const room = { width: inner, height: titleHeight };
  const style = { families: pen.families, weight: 'Bold', colour, direction } as const;
  const picture = await fitTitle(signs, style, room);
  const left = direction === 'rtl' ? width - margin - picture.width : margin;
  return [{ picture, left, top: titleTop + (titleHeight - picture.height) / 2 }];
}

/** Draws the image and returns it as PNG. */
export async function drawCard(card: Card, fonts: Fonts): Promise<Buffer> {
  const pen = { fonts, families: familiesFor(card.title, card.language) };
  const badges = await badgesOf(pen, card);
  const placed = [
    ...(await headOf(pen, card.host)),
    ...(await titleOf(pen, card)),
    ...(await namesOf(pen, card, badges.left - namesLeft)),
    ...badges.placed,
  ];
  return sharp(background(card.kind, badges.badges))
    .composite(placed.map(overlay))
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toBuffer();
}
