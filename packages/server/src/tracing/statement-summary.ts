// A readable name of a statement: what it does, and to which table.

const summaries = new Map<string, string>();
const commands = /\b(insert into|update|delete from|select)\b/i;
const tables =
  /\b(?:insert into|update|delete from|from|join)\s+(?:only\s+)?([a-z_]+(?:\.[a-z_]+)?)/i;

/**
 * Returns such as `select articles` for the text of a statement, which contains no value of anybody. Of common
 * table expressions the first one counts that names a table.
 */
export function summaryOf({
  name,
  text,
}: {
  readonly name: string;
  readonly text: string;
}): string {
  const known = summaries.get(name);
  if (known !== undefined) return known;
  const command = commands.exec(text)?.[1]?.split(' ')[0]?.toLowerCase() ?? 'statement';
  const table = tables.exec(text)?.[1];
  const summary = table === undefined ? command : `${command} ${table}`;
  summaries.set(name, summary);
  return summary;
}
