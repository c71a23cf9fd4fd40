// How far a search went to find what it lists, in one number for its cursor: later pages go as far.

/** With which words it is searched: as typed; others for those that no title has; others for every one. */
export const levels = ['typed', 'unknown', 'every'] as const;
export type Level = (typeof levels)[number];

export interface Stage {
  readonly level: Level;
  /** How far back in time. */
  readonly step: number;
  /** How far back what was typed was found; undefined: nothing was, or it is the level. */
  readonly typedStep: number | undefined;
}

/** More than any search takes: the whole index is far fewer steps away. */
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
