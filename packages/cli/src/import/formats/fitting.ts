// Topics and language of an article as the service takes them, and sentences about those that it does not take.
import { disclosures, limits } from '@colophon/contract';
import type { Disclosure } from '../source.ts';

interface Fitted<T> {
  readonly value: T;
  readonly notes: readonly string[];
}

const shownMax = 60;
const namedMax = 20;

function cutName(text: string): string {
  const points = [...text];
  return points.length <= shownMax ? text : `${points.slice(0, shownMax - 1).join('')}…`;
}

function listOf(names: readonly string[]): string {
  const more = names.length > namedMax ? `, and ${names.length - namedMax} more` : '';
  return names.slice(0, namedMax).map(cutName).join(', ') + more;
}

function isTopic(name: string): boolean {
  const { length } = [...name];
  return length >= limits.topic_min && length <= limits.topic_max;
}

/** Returns those names that become topics: the first ten with a length that fits. */
export function fittedTopics(given: readonly string[]): Fitted<readonly string[]> {
  const names = [...new Set(given.map((name) => name.trim()))].filter((name) => name !== '');
  const odd = names.filter((name) => !isTopic(name));
  const fitting = names.filter(isTopic);
  const over = fitting.slice(limits.topics_max);
  const { topic_min: min, topic_max: max, topics_max: most } = limits;
  return {
    value: fitting.slice(0, most),
    notes: [
      ...(odd.length === 0
        ? []
        : [`Topics that do not have ${min} to ${max} characters are left out: ${listOf(odd)}.`]),
      ...(over.length === 0
        ? []
        : [`It has more than ${most} topics. The others are left out: ${listOf(over)}.`]),
    ],
  };
}

/** Whether a text has the form of a language tag (BCP 47). */
function isTag(text: string): boolean {
  if (text.length > limits.language_max) return false;
  if (!/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(text)) return false;
  // Intl does not know extended languages (`zh-yue`).
  const plain = text.replace(/^([a-z]{2,3})(?:-[a-z]{3}){1,3}(?=-|$)/i, '$1');
  try {
    return Intl.getCanonicalLocales(plain).length === 1;
  } catch {
    // It reports an invalid tag only by an error.
    return false;
  }
}

/** Returns the tag of a language, which programs also write like the name of a locale: `en_US`. */
export function fittedLanguage(given: string | undefined): Fitted<string | undefined> {
  const written = given?.trim() ?? '';
  if (written === '') return { value: undefined, notes: [] };
  const tag = written.replaceAll('_', '-');
  if (isTag(tag)) return { value: tag, notes: [] };
  const note = `Its language (${cutName(written)}) is not a language tag that the service takes, such as en or pt-BR. The service detects it from the text.`;
  return { value: undefined, notes: [note] };
}

/** Returns how a text was written, if the service has a word for it. */
export function fittedDisclosure(given: string): Fitted<Disclosure | undefined> {
  const value = disclosures.find((one) => one === given);
  if (given === '' || value !== undefined) return { value, notes: [] };
  const known = disclosures.join(', ');
  return {
    value,
    notes: [`Its authorship_disclosure (${cutName(given)}) is none of ${known}. It is left out.`],
  };
}
