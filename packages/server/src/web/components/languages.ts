// The languages that a form offers by name; any other is given by its tag.

/** English names of widespread languages by BCP 47 tag, in alphabetical order. */
const languages: Readonly<Record<string, string>> = {
  ar: 'Arabic',
  bn: 'Bengali',
  zh: 'Chinese',
  cs: 'Czech',
  da: 'Danish',
  nl: 'Dutch',
  en: 'English',
  fi: 'Finnish',
  fr: 'French',
  de: 'German',
  el: 'Greek',
  he: 'Hebrew',
  hi: 'Hindi',
  hu: 'Hungarian',
  id: 'Indonesian',
  it: 'Italian',
  ja: 'Japanese',
  ko: 'Korean',
  no: 'Norwegian',
  fa: 'Persian',
  pl: 'Polish',
  pt: 'Portuguese',
  ro: 'Romanian',
  ru: 'Russian',
  es: 'Spanish',
  sv: 'Swedish',
  th: 'Thai',
  tr: 'Turkish',
  uk: 'Ukrainian',
  ur: 'Urdu',
  vi: 'Vietnamese',
};

/** Returns the options of a choice of language, with the present one, whatever it is. */
export function languageOptions(present: string): Readonly<Record<string, string>> {
  const unknown = present === 'und' ? { und: 'Not known' } : {};
  const own = present in languages || present === 'und' ? {} : { [present]: present };
  return { ...unknown, ...own, ...languages };
}
