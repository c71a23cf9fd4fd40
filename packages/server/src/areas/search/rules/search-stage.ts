// The stage of a search, in one number for its cursor: later pages search in the same way.

/** The words to search: as typed; with alternatives for words in no title; with alternatives for all. */
export const levels = ['typed', 'unknown', 'every'] as const;
export type Level = (typeof levels)[number];

export interface Stage {
  readonly level: Level;
  /** How far back in time. */
  readonly step: number;
  /** The step of the typed query; undefined if it found nothing, or if the level is `typed`. */
  readonly typedStep: number | undefined;
}

/** More than any search needs: the whole index is reached in far fewer steps. */
const steps = 64;

const bounded = (step: number) => Math.min(step, steps - 1);

export function numberOf({ level, step, typedStep }: Stage): number {
  const typed = typedStep === undefined ? 0 : bounded(typedStep) + 1;
  return (typed * steps + bounded(step)) * levels.length + levels.indexOf(level);
}

export function stageOf(number: number): Stage {
  const both = Math.floor(number / levels.length);
  const typed = Math.floor(both / steps);
  return {
    level: levels[number % levels.length] ?? 'typed',
    step: both % steps,
    typedStep: typed === 0 ? undefined : typed - 1,
  };
}
