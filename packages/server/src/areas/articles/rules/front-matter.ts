// Front matter: what is known of a text, as YAML in front of it.
import { unseenClass } from '#lib/visible-text';

/**
 * What hides, line breaks and the like that older readers of YAML take for themselves, and what some of
 * them refuse the whole front matter for.
 */
const escapes = new RegExp(`(?!\\n)[${unseenClass}\\p{Noncharacter_Code_Point}]`, 'gu');

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4
    ? String.raw`\U${code.padStart(8, '0')}`
    : String.raw`\u${code.padStart(4, '0')}`;
}

/**
 * The text, byte for byte, behind the facts. Every string is quoted as JSON quotes it, so that readers of
 * YAML 1.1 and 1.2 agree on it, and none of it can end the front matter. The library is loaded when it is
 * first asked for: it takes 10 MB.
 */
export async function withFrontMatter(
  facts: Readonly<Record<string, unknown>>,
  text: string,
): Promise<string> {
  const { stringify } = await import('yaml');
  const yaml = stringify(facts, {
    defaultKeyType: 'PLAIN',
    defaultStringType: 'QUOTE_DOUBLE',
    doubleQuotedAsJSON: true,
    lineWidth: 0,
  }).replaceAll(escapes, escaped);
  return `---\n${yaml}---\n\n${text}`;
}
