// Front matter: what is known of a text, as YAML in front of it.

/** Line breaks and invisible characters that older readers of YAML take for themselves, or that hide. */
const unseen =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

function escaped(character: string): string {
  return String.raw`\u` + (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
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
  }).replaceAll(unseen, escaped);
  return `---\n${yaml}---\n\n${text}`;
}
