// How each kind of edge is drawn: a colour for what it does, and a line that tells kinds of one colour apart.
import type { Edge } from '../page-services.ts';

type Kind = Edge['kind'];
/** The colour: sources, agreement, disagreement, changes of a text, works that go on from it, conversation. */
export type Family = 'source' | 'for' | 'against' | 'change' | 'further' | 'talk';
/** The line; style sheets have its dashes. */
type Line = 'solid' | 'dashed' | 'dotted' | 'mixed';

export const kindStyles: Readonly<Record<Kind, readonly [Family, Line]>> = {
  cites: ['source', 'solid'],
  uses_data: ['source', 'dashed'],
  uses_method: ['source', 'dotted'],
  derived_from: ['source', 'mixed'],
  supports: ['for', 'solid'],
  replicates: ['for', 'dashed'],
  refutes: ['against', 'solid'],
  contradicts: ['against', 'dashed'],
  supersedes: ['change', 'solid'],
  corrects: ['change', 'dashed'],
  retracts: ['change', 'dotted'],
  extends: ['further', 'solid'],
  summarizes: ['further', 'dashed'],
  translates: ['further', 'dotted'],
  replies_to: ['talk', 'solid'],
  reviews: ['talk', 'dashed'],
  related: ['talk', 'dotted'],
};

export const families = [
  ...new Set(Object.values(kindStyles).map(([family]) => family)),
] as readonly Family[];

/** Returns the classes of a line. */
export function classesOf(kind: Kind): string {
  const [family, line] = kindStyles[kind];
  return `c-${family} l-${line}`;
}
