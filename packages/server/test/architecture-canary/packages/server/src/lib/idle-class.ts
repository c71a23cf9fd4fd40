// A class without a lifetime.
export class Idle {
  readonly state = 1;
}
