// The bundled fonts, from packages of the npm registry, and the order in which a text uses them.

export interface Family {
  /** The family name inside the font. */
  readonly name: string;
  /** The package below @fontsource-variable. Its file names begin with it too. */
  readonly pack: string;
}

function noto(script: string): Family {
  return { name: `Noto Sans ${script}`, pack: `noto-sans-${script.toLowerCase()}` };
}

const latin: Family = { name: 'Noto Sans', pack: 'noto-sans' };

const alphabets = [
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Gujarati',
  'Gurmukhi',
  'Oriya',
  'Sinhala',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Georgian',
  'Armenian',
  'Ethiopic',
].map(noto);

const emoji: Family = { name: 'Noto Emoji', pack: 'noto-emoji' };
const symbols = noto('Symbols');

/** The names of these families contain the thinnest weight of their range. */
function thin(script: string): Family {
  return { ...noto(script), name: `Noto Sans ${script} Thin` };
}

const han = {
  simplified: thin('SC'),
  traditional: thin('TC'),
  japanese: thin('JP'),
  korean: thin('KR'),
} as const;

/**
 * Unified Han characters have four regional shapes: the language selects one, or else the letters around
 * them.
 */
function firstHan(text: string, language: string): Family {
  const tag = language.toLowerCase();
  if (/^(?:zh|yue)-hans\b/.test(tag)) return han.simplified;
  if (/^zh-(?:.*-)?(?:hant|tw|hk|mo)\b|^yue\b/.test(tag)) return han.traditional;
  if (/^zh\b/.test(tag)) return han.simplified;
  if (/^ja\b/.test(tag) || /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text))
    return han.japanese;
  if (/^ko\b/.test(tag) || /\p{Script=Hangul}/u.test(text)) return han.korean;
  return han.simplified;
}

/** Returns every family, in order of preference. */
export function familiesFor(text: string, language: string): readonly Family[] {
  const first = firstHan(text, language);
  const rest = Object.values(han).filter((family) => family !== first);
  return [latin, ...alphabets, emoji, first, ...rest, symbols];
}
