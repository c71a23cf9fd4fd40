// The fonts that come with the service, as packages of the npm registry, and in which order a text takes them.

export interface Family {
  /** As the font calls itself. */
  readonly name: string;
  /** Below @fontsource-variable; its files begin with it too. */
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

/** These call themselves by the thinnest weight of their range. */
function thin(script: string): Family {
  return { ...noto(script), name: `Noto Sans ${script} Thin` };
}

const han = {
  simplified: thin('SC'),
  traditional: thin('TC'),
  japanese: thin('JP'),
  korean: thin('KR'),
} as const;

/** Han characters have one number and four shapes: the language decides, or else the letters beside them. */
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

/** Every family, the one that is asked first at the front. */
export function familiesFor(text: string, language: string): readonly Family[] {
  const first = firstHan(text, language);
  const rest = Object.values(han).filter((family) => family !== first);
  return [latin, ...alphabets, emoji, first, ...rest, symbols];
}
