// Values in the form of prom-client. It is not loaded for them: at the end of a process there may be no time to load it.
import { bounds } from './durations.ts';
import type { Answers, Durations } from './durations.ts';

export interface Described {
  readonly name: string;
  readonly help: string;
}

/** One figure, read on demand; null if it has no value now. */
export type Figure = Described &
  (
    | {
        readonly type: 'gauge';
        /** `host`: every process reads the same value; otherwise the values of all processes are added up. */
        readonly of?: 'host';
        readonly read: () => number | null | Promise<number | null>;
      }
    /** It only increases while the process runs. */
    | { readonly type: 'counter'; readonly read: () => number }
  );

/** A metric as `get` of prom-client returns it. */
export interface Values extends Described {
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly aggregator: 'sum' | 'max';
  readonly values: readonly object[];
}

export const answerTimes: Described = {
  name: 'http_request_duration_seconds',
  help: 'Seconds from a request to the start of its response, including the wait of long polls.',
};

function valuesOf({ route, method, status, classes, seconds }: Answers, { name }: Described) {
  const labels = { method, route, status };
  let answers = 0;
  const buckets = [...classes].map((count, at) => {
    answers += count;
    const le = bounds[at] ?? '+Inf';
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: answers };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: answers },
  ];
}

export function readAnswerTimes(durations: Durations): Values {
  const values = durations.rows().flatMap((answers) => valuesOf(answers, answerTimes));
  return { ...answerTimes, type: 'histogram', aggregator: 'sum', values };
}

function valuesWith({ name, help, type }: Figure, value: number | null) {
  return { name, help, type, values: value === null ? [] : [{ labels: {}, value }] };
}

const readCount = (counter: Extract<Figure, { type: 'counter' }>): Values => ({
  ...valuesWith(counter, counter.read()),
  aggregator: 'sum',
});

export async function readFigure(figure: Figure): Promise<Values> {
  if (figure.type === 'counter') return readCount(figure);
  const aggregator = figure.of === 'host' ? 'max' : 'sum';
  return { ...valuesWith(figure, await figure.read()), aggregator };
}

/** Returns what this process has counted; the other figures are those of a moment. */
export function readCounts(durations: Durations, figures: readonly Figure[]): readonly Values[] {
  return [
    readAnswerTimes(durations),
    ...figures.flatMap((figure) => (figure.type === 'counter' ? [readCount(figure)] : [])),
  ];
}
