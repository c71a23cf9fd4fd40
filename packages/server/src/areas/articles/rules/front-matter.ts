// Front matter: the facts about a text, as YAML in front of it.
import { unseenClass } from '@colophon/text/lib/visible-text';

/**
 * Invisible characters, characters that older YAML readers treat as line breaks, and characters for which
 * some readers refuse the whole front matter.
 */
const escapes = new RegExp(`(?!\\n)[${unseenClass}\\p{Noncharacter_Code_Point}]`, 'gu');

function escapeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4
    ? String.raw`\U${code.padStart(8, '0')}`
    : String.raw`\u${code.padStart(4, '0')}`;
}

/**
 * Returns the facts as front matter, followed by the text unchanged. Every string is quoted as in JSON, so
 * that readers of YAML 1.1 and 1.2 agree and no string can end the front matter. The library takes 10 MB and
 * is loaded at the first call.
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
  }).replaceAll(escapes, escapeCharacter);
  return `---\n${yaml}---\n\n${text}`;
}
