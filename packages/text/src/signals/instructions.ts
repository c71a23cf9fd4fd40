// Finds instructions to a reader that is a language model. The patterns are far from complete.
import { fold } from './folded-text.ts';
import { matchesOf } from './matches.ts';
import type { Match } from './matches.ts';

/** Markers of the formats of prompts, searched for in the original text. */
const forms = [
  /<\|[a-z_]{2,20}\|>|\[\/?(?:INST|SYS|SYSTEM)\]|<<\/?SYS>>|<\/?(?:system|assistant|function_calls?|tool_calls?|tool_use|instructions?)>/giu,
  /^[#>*\s]{0,6}(?:assistant|(?:system|assistant|developer)\s{0,2}(?:message|prompt))\s{0,2}:/gimu,
  // A list of facts contains `System: Linux` and `Developer: …` too.
  /^[#>*\s]{0,6}(?:SYSTEM|DEVELOPER)\s{0,2}:/gmu,
  /^(?:[#>*\s]{0,6}(?:system|developer)|[#>*\s]{0,6}\*\*(?:system|developer)\*\*)\s{0,2}:[^\n]{0,200}\b(?:you|your|ignore|disregard|obey|follow|must|always|never)\b/gimu,
] as const;

/** Searched for in the folded text, in which lines are not broken. */
const sentences = [
  /\b(?:ignore|disregard|forget|override|skip|bypass)\b[^.\n]{0,40}\b(?:all|any|every|the|your|my|these|those|previous|prior|above|earlier|preceding|system)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules?|guidelines?|directions?|constraints?|messages?)\b/giu,
  /\b(?:you are|you're|act as|pretend to be) (?:now|no longer|from now on)\b/giu,
  /\bfrom now on,? you (?:are|must|will|should)\b/giu,
  /\b(?:new|updated|real|actual|hidden|secret) (?:system )?(?:instructions?|prompt|directives?)\b/giu,
  /\b(?:reveal|print|repeat|output|show|leak|send|post|exfiltrate|give)\b[^.\n]{0,40}\b(?:system prompt|your (?:instructions|prompt|token|credentials?|secrets?|password)|api[ -]?keys?|access tokens?|private keys?)\b/giu,
  /\b(?:do not|don't|never) (?:tell|inform|mention (?:this )?to|alert|show) (?:the |your )?(?:user|human|operator|owner|developer)s?\b/giu,
  /\b(?:if you are|attention|note to|message (?:for|to)|instructions? (?:for|to)|dear) (?:an? |all |any |the )?(?:ai|llm|language model|assistant|agent|chatbot|gpt|claude|gemini|copilot)s?\b/giu,
  /\b(?:jailbreak|developer mode|DAN mode|prompt injection)\b/giu,
  /(?:ignorier|vergiss|vergessen sie|vergesst|missacht)[a-zäöü]{0,4}\b[^.\n]{0,40}\b(?:anweisung|vorgabe|regel|befehl|instruktion)/giu,
  /\b(?:negeer|vergeet)\b[^.\n]{0,40}\b(?:instructie|opdracht|aanwijzing|richtlijn|regel)/giu,
  /\b(?:ignore|ignorez|oublie|oubliez)\b[^.\n]{0,40}\b(?:instructions|consignes|règles|directives)/giu,
  /\b(?:ignora|ignore|olvida|olvide|desestima|esqueça|dimentica)\b[^.\n]{0,40}(?:instrucciones|instruções|istruzioni|reglas|regras|regole)/giu,
  /(?:zignoruj|ignoruj|zapomnij o|pomiń)[^.\n]{0,40}(?:instrukcj|polece|wytyczn|zasad)/giu,
  /(?:игнорируй|забудь|не обращай внимания на)[^.\n]{0,40}(?:инструкц|указани|правил)/giu,
  /(?:ігноруй|забудь|не зважай на)[^.\n]{0,40}(?:інструкці|вказівк|правил)/giu,
  /(?:önceki|yukarıdaki|tüm|bütün)[^.\n]{0,40}(?:talimat|yönerge|kural|komut)[^.\n]{0,40}(?:yok say|görmezden gel|dikkate alma|unut)/giu,
  /(?:تجاهل|انس|انسَ)[^.\n]{0,40}(?:تعليمات|أوامر|إرشادات|قواعد)/gu,
  /(?:पिछले|पिछली|सभी|पूर्व|उपरोक्त)[^.।\n]{0,40}(?:निर्देश|आदेश|नियम)[^.।\n]{0,40}(?:अनदेखा|अनदेखी|नज\u093c?रअंदाज|भूल|उपेक्षा)/gu,
  /(?:이전|위의|앞의|모든|기존)[^.\n]{0,20}(?:지시|명령|지침|규칙|프롬프트)[^.\n]{0,10}(?:무시|잊)/gu,
  /(?:忽略|无视|無視|忘记|忘記)[^。\n]{0,20}(?:指令|指示|说明|說明|提示|规则|規則)|(?:以前|これまで|上記)の?(?:すべての)?(?:指示|命令|ルール)を?(?:無視|忘れ)/gu,
] as const;

/** Returns matches in the folded text, as positions in the original text. */
function sentencesIn(text: string): Match[] {
  const folded = fold(text);
  return sentences
    .flatMap((pattern) => matchesOf(folded.text, pattern))
    .map(({ start, end }) => {
      const from = folded.placeOf(start);
      return { start: from, end: Math.max(from, folded.placeOf(end - 1)) + 1 };
    });
}

/**
 * Returns the instructions to a reader that is a language model. Overlapping matches of several patterns
 * count once.
 */
export function instructionsIn(text: string): Match[] {
  const found = [...forms.flatMap((pattern) => matchesOf(text, pattern)), ...sentencesIn(text)];
  let end = 0;
  return found
    .toSorted((left, right) => left.start - right.start)
    .filter((match) => {
      const isNew = match.start >= end;
      end = Math.max(end, match.end);
      return isNew;
    });
}
