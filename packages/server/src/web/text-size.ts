// The length of a text, as people count it. The articles area declares the same, because pages import nothing from areas.

/** Of a long text only the beginning is counted, and the rest estimated. */
export interface TextSize {
  readonly characters: number;
  readonly isExact: boolean;
}
