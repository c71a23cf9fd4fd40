// Restricts every link and picture of a parsed text to the allow-list.
import type { StateCore, Token } from 'markdown-it';
import { linkTarget, mediaAddress } from './addresses.ts';
import type { Site, Target } from './addresses.ts';
import { wordsOf } from './blocks.ts';
import { hostToShow } from '../named-host.ts';

type NewToken = (type: string, tag: string, nesting: -1 | 0 | 1) => Token;

interface OpenLink {
  readonly target: Target | undefined;
  /** The index where its own tokens begin. */
  readonly from: number;
}

/** The state for one block of text. */
interface Walk {
  readonly safe: Token[];
  /** The links that are open at this point, the innermost last. */
  readonly open: OpenLink[];
  readonly make: NewToken;
  readonly site: Site;
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}

function textToken(make: NewToken, text: string): Token {
  const token = make('text', '', 0);
  token.content = text;
  return token;
}

/** Turns a link that is not allowed into plain text. */
function unlink(token: Token): void {
  token.tag = 'span';
  token.attrs = token.nesting === 1 ? [['class', 'unlinked']] : null;
}

function aim(token: Token, target: Target): void {
  const title = token.attrGet('title');
  token.attrs = [['href', target.href]];
  if (title !== null) token.attrSet('title', title);
  if (target.rel !== null) token.attrSet('rel', target.rel);
}

function hostTokens(make: NewToken, text: string, address: string): Token[] {
  const host = hostToShow(text, address);
  if (host === undefined) return [];
  const open = make('span_open', 'span', 1);
  open.attrSet('class', 'link-host');
  return [open, textToken(make, ` (${host})`), make('span_close', 'span', -1)];
}

/**
 * Loading an external picture would reveal the reader to its server: it becomes a link, or inside of a link
 * its alternative text.
 */
function foreignPicture({ open: links, make, site }: Walk, picture: Token): Token[] {
  const target = linkTarget(attribute(picture, 'src'), site);
  const words = wordsOf(picture.children ?? []).trim();
  const text = words === '' && target !== undefined ? target.href : words;
  if (links.some((link) => link.target !== undefined)) return [textToken(make, text)];
  const [open, close] = [make('link_open', 'a', 1), make('link_close', 'a', -1)];
  const title = picture.attrGet('title');
  if (title !== null) open.attrSet('title', title);
  if (target === undefined) for (const token of [open, close]) unlink(token);
  else aim(open, target);
  const hosts = target === undefined ? [] : hostTokens(make, text, target.href);
  return [open, textToken(make, text), close, ...hosts];
}

function ownPicture(picture: Token, address: string): Token {
  const title = picture.attrGet('title');
  picture.attrs = [
    ['src', address],
    // Filled in when the picture is written.
    ['alt', ''],
    ['loading', 'lazy'],
  ];
  if (title !== null) picture.attrSet('title', title);
  return picture;
}

function openLink({ safe, open, site }: Walk, token: Token): void {
  const target = linkTarget(attribute(token, 'href'), site);
  if (target === undefined) unlink(token);
  else aim(token, target);
  safe.push(token);
  open.push({ target, from: safe.length });
}

function closeLink({ safe, open, make }: Walk, token: Token): void {
  const { target, from = 0 } = open.pop() ?? {};
  const words = wordsOf(safe.slice(from));
  safe.push(token);
  if (target === undefined) unlink(token);
  else safe.push(...hostTokens(make, words, target.href));
}

function showPicture(walk: Walk, token: Token): void {
  const address = mediaAddress(attribute(token, 'src'), walk.site);
  if (address === undefined) walk.safe.push(...foreignPicture(walk, token));
  else walk.safe.push(ownPicture(token, address));
}

const rules: Readonly<Record<string, (walk: Walk, token: Token) => void>> = {
  link_open: openLink,
  link_close: closeLink,
  image: showPicture,
};

/** No later rule may make links. */
export function tameLinks(state: StateCore, site: Site): void {
  const make: NewToken = (type, tag, nesting) => new state.Token(type, tag, nesting);
  for (const block of state.tokens) {
    if (block.type !== 'inline') continue;
    const walk: Walk = { safe: [], open: [], make, site };
    for (const token of block.children ?? []) {
      const rule = rules[token.type];
      if (rule === undefined) walk.safe.push(token);
      else rule(walk, token);
    }
    block.children = walk.safe;
  }
}
