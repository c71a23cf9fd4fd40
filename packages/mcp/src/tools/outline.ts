// Schemas of answers as they are listed: every host may hand the list of tools to a model, which pays for each byte.
import type { Schema } from '../untrusted.ts';
import { mapMembers } from './schemas.ts';

/** Longer lists of words are left to the answer, which shows the one that applies. */
const mostWords = 8;

/** The answer, its records, and the objects inside these; the members of the last are listed by name only. */
const deepest = 3;

/** Whether the members of an object are of many kinds, such as the payloads of events: only the type is listed. */
function isMixed({ type, anyOf, properties }: Schema, depth: number): boolean {
  return depth > 0 && type === 'object' && anyOf !== undefined && properties === undefined;
}

function membersOf({ properties, required }: Schema, depth: number): Schema {
  if (properties === undefined || depth >= deepest) return {};
  const members = mapMembers(properties, (one) => outline(one as Schema, depth + 1));
  // Which answer it is follows from the members of the answer itself; those of its records are named once.
  return { ...(depth === 0 && required !== undefined ? { required } : {}), properties: members };
}

function outline(schema: Schema, depth: number): Schema {
  if (depth >= deepest) return {};
  const { type, enum: words, items, anyOf } = schema;
  const hasFewWords = words !== undefined && words.length <= mostWords;
  const isOpen = anyOf === undefined || isMixed(schema, depth);
  return {
    ...(type === undefined ? {} : { type }),
    ...(hasFewWords ? { enum: words } : {}),
    ...membersOf(schema, depth),
    ...(items ? { items: outline(items, depth) } : {}),
    ...(isOpen ? {} : { anyOf: anyOf.map((one) => outline(one, depth)) }),
  };
}

/**
 * Returns the schema that is listed for an answer. It accepts all that the whole schema accepts, and is a third as
 * long: without descriptions, patterns and long lists of words, and with the names of deep members only.
 */
export function outlineOf(schema: Schema): Schema {
  return outline(schema, 0);
}
