// Strikethrough by GFM's rules: one or two tildes on both sides, never three.
import type { Delimiter, MarkdownIt, StateInline } from 'markdown-it';

const tilde = 0x7e;
/** Delimiters pair by their marker. With two markers, one tilde never closes what two tildes opened. */
const markers = [tilde, tilde * 0x100 + tilde];

function scanTildes(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.codePointAt(state.pos) !== tilde) return false;
  const { length, can_open: open, can_close: close } = state.scanDelims(state.pos, true);
  const token = state.push('text', '', 0);
  token.content = '~'.repeat(length);
  const marker = markers[length - 1];
  if (marker !== undefined) {
    const place = state.tokens.length - 1;
    state.delimiters.push({ marker, length: 0, token: place, end: -1, open, close });
  }
  state.pos += length;
  return true;
}

function strike(state: StateInline, delimiters: readonly Delimiter[]): void {
  for (const { marker, end, token: place } of delimiters) {
    const closing = delimiters[end];
    if (!markers.includes(marker) || closing === undefined) continue;
    for (const [index, nesting] of [[place, 1] as const, [closing.token, -1] as const]) {
      const token = state.tokens[index];
      if (token === undefined) continue;
      token.type = nesting === 1 ? 's_open' : 's_close';
      token.tag = 'del';
      token.nesting = nesting;
      token.content = '';
    }
  }
}

/** Replaces the parser's own rule, which supports only two tildes. */
export function strikeLikeGfm({ inline }: MarkdownIt): void {
  inline.ruler.at('strikethrough', scanTildes);
  inline.ruler2.at('strikethrough', (state) => {
    strike(state, state.delimiters);
    for (const meta of state.tokens_meta) strike(state, meta?.delimiters ?? []);
    return false;
  });
}
