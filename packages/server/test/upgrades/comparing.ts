// What an earlier answer has and the present one has not.

/** What changes when it is read, is the time of the reading, or grows with the transparency log. */
const passing = new Set(['last_used_at', 'request_id', 'instance', 'checkpoint', 'inclusion']);
/** The words of a problem may change, its type and members may not. */
const wordsOfProblems = new Set(['title', 'detail']);

/** Lists at whose end later versions may add items, because a reader of one finds it by its name. */
const growing = /\/quotas$/;

/** Whether the items of a list have places in a later one. */
function hasRoom(earlier: readonly unknown[], now: unknown, at: string): boolean {
  if (!Array.isArray(now)) return false;
  return growing.test(at) ? now.length >= earlier.length : now.length === earlier.length;
}

/** Lists the losses: `/items/0/title: "a" became "b"`. */
function lossesOf(earlier: unknown, now: unknown, at = ''): string[] {
  if (typeof earlier !== 'object' || earlier === null)
    return Object.is(earlier, now)
      ? []
      : [`${at}: ${JSON.stringify(earlier)} became ${JSON.stringify(now)}`];
  if (typeof now !== 'object' || now === null) return [`${at} became ${JSON.stringify(now)}`];
  if (Array.isArray(earlier) && !hasRoom(earlier, now, at))
    return [`${at}: the number of its items changed`];
  return Object.entries(earlier)
    .filter(([name]) => !passing.has(name))
    .flatMap(([name, value]) =>
      lossesOf(value, (now as Record<string, unknown>)[name], `${at}/${name}`),
    );
}

function withoutWords(problem: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(problem).filter(([name]) => !wordsOfProblems.has(name)));
}

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** Lists what a later answer lost of an earlier one, its status included. */
export function lossesOfAnswer({ status, body }: Answered, now: Answered): string[] {
  if (now.status !== status) return [`the status ${status} became ${now.status}`];
  const expected = status < 400 ? body : withoutWords(body as Record<string, unknown>);
  return lossesOf(expected, now.body);
}
