// What a sample is: one sound request for an operation, and the world that it is made in.
import type { Human, TestServer } from './harness.ts';

export interface Sample {
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters that it does not go without, as they are written in an address. */
  readonly query?: string;
  /** Every member that the operation takes, sound by itself. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Members that do not go together with the state of the test or with each other. */
  readonly without?: readonly string[];
  /** The body of an upload. */
  readonly bytes?: Buffer;
  /** Of somebody else than the world's person: its sender is gone afterwards. */
  readonly token?: string;
}

/** Who sends samples: a person with every scope there is. */
export interface World {
  readonly server: TestServer;
  readonly human: Human;
}

export type Make = (world: World) => Promise<Sample>;

export const noParams: Make = async () => ({ params: {} });
