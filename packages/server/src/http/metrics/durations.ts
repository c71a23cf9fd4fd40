// Counts requests by route, status and duration, in arrays, so that counting costs almost nothing.

/** Upper bounds of the histogram buckets in seconds; a last bucket contains the rest. */
export const bounds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
] as const;

/** The router's properties of a route: one object per route, the same for every request. */
export interface RouteKey {
  readonly method?: unknown;
  readonly url?: unknown;
}

/** The answers of one route with one status. */
export interface Answers {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  /** Number of answers in each histogram bucket. */
  readonly classes: Float64Array;
  seconds: number;
}

export interface Durations {
  /** Counts an answer that began to be sent this many seconds after its request arrived. */
  count(route: RouteKey, status: number, seconds: number): void;
  rows(): readonly Answers[];
}

function classOf(seconds: number): number {
  let at = 0;
  while (at < bounds.length && seconds > (bounds[at] ?? 0)) at += 1;
  return at;
}

function nameRoute({ method, url }: RouteKey, status: number): Answers {
  return {
    // The path of an unknown route is arbitrary client input.
    route: typeof url === 'string' ? url : 'none',
    method: typeof method === 'string' ? method : 'none',
    status,
    classes: new Float64Array(bounds.length + 1),
    seconds: 0,
  };
}

/** Creates empty counters. Routes and statuses are few, so memory stays small. */
export function makeDurations(): Durations {
  const byRoute = new Map<RouteKey, Map<number, Answers>>();

  function answersOf(route: RouteKey, status: number): Answers {
    let byStatus = byRoute.get(route);
    if (byStatus === undefined) byRoute.set(route, (byStatus = new Map<number, Answers>()));
    let answers = byStatus.get(status);
    if (answers === undefined) byStatus.set(status, (answers = nameRoute(route, status)));
    return answers;
  }

  return {
    count: (route, status, seconds) => {
      const answers = answersOf(route, status);
      const at = classOf(seconds);
      answers.classes[at] = (answers.classes[at] ?? 0) + 1;
      answers.seconds += seconds;
    },
    rows: () => [...byRoute.values()].flatMap((byStatus) => [...byStatus.values()]),
  };
}
