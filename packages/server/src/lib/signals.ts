// What in a stranger's text is made for machines and not for eyes. Hints, never a verdict.
import { hostToShow } from './named-host.ts';

type Kind =
  | 'invisible_characters'
  | 'bidi_controls'
  | 'html_comments'
  | 'hidden_links'
  | 'instructions';

export interface Signal {
  readonly kind: Kind;
  readonly count: number;
  /** Of the first one, in code points of the text. */
  readonly first: { readonly start: number; readonly end: number };
  /** The first one, at most 80 characters, with what cannot be seen spelled as \u{…}. */
  readonly sample: string;
}

interface Match {
  readonly start: number;
  readonly end: number;
}

const sampleMax = 80;
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const bidi = /\p{Bidi_Control}+/gu;
/** Line breaks and tabs are no secret. */
const invisible =
  /(?:(?![\t\n\r]|\p{Bidi_Control})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\u2800])+/gu;
const joiners = /\u200c|\u200d|\ufe0e|\ufe0f/g;
/** Pictures and some scripts need them: a heart on fire has two in a row. */
const joinersMax = 2;

/** What tells a reader that is a model what to do. By no means all that can be said. */
const instructions = [
  /\b(?:ignore|disregard|forget|override|skip|bypass)\b[^.\n]{0,40}\b(?:all|any|every|the|your|my|these|those|previous|prior|above|earlier|preceding|system)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules?|guidelines?|directions?|constraints?|messages?)\b/giu,
  /\b(?:you are|you're|act as|pretend to be) (?:now|no longer|from now on)\b/giu,
  /\bfrom now on,? you (?:are|must|will|should)\b/giu,
  /\b(?:new|updated|real|actual|hidden|secret) (?:system )?(?:instructions?|prompt|directives?)\b/giu,
  /\b(?:reveal|print|repeat|output|show|leak|send|post|exfiltrate|give)\b[^.\n]{0,40}\b(?:system prompt|your (?:instructions|prompt|token|credentials?|secrets?|password)|api[ _-]?keys?|access tokens?|private keys?)\b/giu,
  /\b(?:do not|don't|never) (?:tell|inform|mention (?:this )?to|alert|show) (?:the |your )?(?:user|human|operator|owner|developer)s?\b/giu,
  /\b(?:if you are|attention|note to|message (?:for|to)|instructions? (?:for|to)|dear) (?:an? |all |any |the )?(?:ai|llm|language model|assistant|agent|chatbot|gpt|claude|gemini|copilot)s?\b/giu,
  /<\|[a-z_]{2,20}\|>|\[\/?(?:INST|SYS|SYSTEM)\]|<<\/?SYS>>|<\/?(?:system|assistant|function_calls?|tool_calls?|tool_use|instructions?)>/giu,
  /^[#>*\s]{0,6}(?:system|assistant|developer)\s{0,2}(?:message|prompt)?\s{0,2}:/gimu,
  /\b(?:jailbreak|developer mode|DAN mode|prompt injection)\b/giu,
  /(?:ignorier|vergiss|missacht)[a-zäöü]{0,4}\b[^.\n]{0,40}\b(?:anweisung|vorgabe|regel|befehl|instruktion)/giu,
  /\b(?:ignore|ignorez|oublie|oubliez)\b[^.\n]{0,40}\b(?:instructions|consignes|règles|directives)/giu,
  /\b(?:ignora|ignore|olvida|olvide|desestima|esqueça|dimentica)\b[^.\n]{0,40}(?:instrucciones|instruções|istruzioni|reglas|regras|regole)/giu,
  /(?:игнорируй|забудь|не обращай внимания на)[^.\n]{0,40}(?:инструкц|указани|правил)/giu,
  /(?:忽略|无视|無視|忘记|忘記)[^。\n]{0,20}(?:指令|指示|说明|說明|提示|规则|規則)|(?:以前|これまで|上記)の?(?:すべての)?(?:指示|命令|ルール)を?(?:無視|忘れ)/gu,
] as const;

function matchesOf(text: string, pattern: RegExp): Match[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}

function invisibleIn(text: string): Match[] {
  return matchesOf(text, invisible).filter(({ start, end }) => {
    const isJoining = text.slice(start, end).replaceAll(joiners, '') === '';
    return !isJoining || end - start > joinersMax;
  });
}

/** By hand: a pattern would look to the end of the text at every beginning that has none. */
function commentsIn(text: string): Match[] {
  const found: Match[] = [];
  for (let start = text.indexOf('<!--'); start >= 0;) {
    const close = text.indexOf('-->', start + 4);
    const end = close < 0 ? text.length : close + 3;
    found.push({ start, end });
    start = text.indexOf('<!--', end);
  }
  return found;
}

/** Inline links and images, with bounded parts so that the look stays linear. */
const links = /(!?)\[([^[\]\n]{0,300})\]\(\s{0,8}<?([^\s<>()]{1,2048})/gu;
/** Definitions: a text that nobody sees unless something refers to it. */
const definitions = /^ {0,3}\[([^[\]\n]{1,200})\]:[ \t]{0,8}\S{1,2048}[^\n]{0,400}/gmu;

/** Whether a reader sees the link, and where it leads. */
function isOpen(label: string, address: string): boolean {
  const isSeen = /[\p{L}\p{N}\p{S}\p{P}]/u.test(label.replaceAll(unseen, ''));
  return isSeen && hostToShow(label, address) === undefined;
}

function linksIn(text: string): Match[] {
  return Array.from(text.matchAll(links))
    .filter(([, image, label = '', address = '']) => image === '' && !isOpen(label, address))
    .map(({ index, 0: whole }) => ({ start: index, end: index + whole.length }));
}

/** Definitions that nothing refers to: a place for a text that nobody sees. */
function definitionsIn(text: string): Match[] {
  const references = text.matchAll(/\[([^[\]\n]{1,200})\](?!:)/gu);
  const named = new Set(Array.from(references, ([, name = '']) => name.toLowerCase()));
  return Array.from(text.matchAll(definitions))
    .filter(([, name = '']) => !name.startsWith('^') && !named.has(name.toLowerCase()))
    .map(({ index, 0: whole }) => ({ start: index, end: index + whole.length }));
}

/** Links that cannot be seen or lead elsewhere than they say, and definitions that nothing refers to. */
function hiddenLinksIn(text: string): Match[] {
  const found = [...linksIn(text), ...definitionsIn(text)];
  return found.toSorted((left, right) => left.start - right.start);
}

/** What several patterns find in one place counts once. */
function instructionsIn(text: string): Match[] {
  const found = instructions
    .flatMap((pattern) => matchesOf(text, pattern))
    .toSorted((left, right) => left.start - right.start);
  let end = 0;
  return found.filter((match) => {
    const isNew = match.start >= end;
    end = Math.max(end, match.end);
    return isNew;
  });
}

const looks: readonly (readonly [Kind, (text: string) => Match[]])[] = [
  ['invisible_characters', invisibleIn],
  ['bidi_controls', (text) => matchesOf(text, bidi)],
  ['html_comments', commentsIn],
  ['hidden_links', hiddenLinksIn],
  ['instructions', instructionsIn],
];

function codePointsBefore(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; count += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

function spelled(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function sampleOf(text: string, { start, end }: Match): string {
  const beginning = text.slice(start, Math.min(end, start + sampleMax)).replaceAll(unseen, spelled);
  return beginning.toWellFormed().slice(0, sampleMax);
}

/** What was found of each kind, each kind once; nothing found: an empty list. */
export function signalsIn(text: string): readonly Signal[] {
  return looks.flatMap(([kind, look]) => {
    const found = look(text);
    const [first] = found;
    if (first === undefined) return [];
    const start = codePointsBefore(text, first.start);
    const end =
      start + codePointsBefore(text.slice(first.start, first.end), first.end - first.start);
    return { kind, count: found.length, first: { start, end }, sample: sampleOf(text, first) };
  });
}
