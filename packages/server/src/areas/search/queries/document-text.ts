// Parts of statements: how a text becomes the document that the index holds.
import { sql } from '#database';
import type { Statement } from '#database';
import { indexingSteps, settledClass, unspacedClass } from '../rules/text-forms.ts';

const runs = (text: Statement) => sql`regexp_replace(${text}, ${`[^${unspacedClass}]+`}, ' ', 'g')`;
const inPairs = (text: Statement) =>
  sql`regexp_replace(${text}, ${`([${unspacedClass}])([${unspacedClass}])`}, '\\1\\2 ', 'g')`;
const shiftedByOne = (text: Statement) =>
  sql`regexp_replace(${text}, ${`(^| )([${unspacedClass}])`}, '\\1\\2 ', 'g')`;

/**
 * Returns the tsvector of a text by its configuration. Scripts without spaces are indexed by pairs of
 * characters, those that begin at even positions and those at odd ones, because PostgreSQL takes a whole
 * sentence for one word.
 */
export function documentOf(text: Statement): Statement {
  return sql`case
        when ${text} ~ ${`[${unspacedClass}]`} then
          to_tsvector(configuration.id, regexp_replace(${text}, ${`[${unspacedClass}]+`}, ' ', 'g'))
          || to_tsvector('pg_catalog.simple', ${inPairs(runs(text))})
          || to_tsvector('pg_catalog.simple', ${inPairs(shiftedByOne(runs(text)))})
        else to_tsvector(configuration.id, ${text})
      end`;
}

/**
 * Returns a text in the form in which it is indexed, so that nothing depends on the letters of PostgreSQL's
 * locale, nor on its recognition of addresses, files, tags or negative numbers.
 */
export function textForIndex(text: Statement): Statement {
  const { hidden, overlong, replaced } = indexingSteps();
  // Most texts are of such characters only. Seeing that takes a thirtieth of the time of the normal form.
  const shown = sql`case
        when ${text} !~ ${`[^${settledClass}]`} then ${text}
        else normalize(
          regexp_replace(regexp_replace(${text}, ${hidden}, '', 'g'), ${overlong[0]}, ${overlong[1]}, 'g'),
          nfc
        )
      end`;
  return replaced.reduce(
    (rest, [pattern, by]) => sql`regexp_replace(${rest}, ${pattern}, ${by}, 'g')`,
    shown,
  );
}
