// How an operation of the contract gets its handler, so that types hold both to each other.
import type {
  AnswerOf,
  AnyOperation,
  BodyOf,
  ParamsOf,
  ProblemName,
  ProblemsOf,
  QueryOf,
  QuotaAction,
  Scope,
} from '@colophon/contract';
import type { Config } from '#config';
import type { Database, Db, Tx } from '#database';
import type { MediaStore } from '#storage';
import type { TextWork } from '#text';
import type { AuditedRead } from './audited-reads.ts';
import type { Beside, Caller } from './caller.ts';
import type { ArrivingBytes } from './input/upload.ts';
import type { LongTexts } from './long-texts.ts';
import type { ServedBytes } from './media-bytes.ts';
import type { Problem, Problems } from './problem.ts';

export interface Answer<S extends number = number, B = unknown> {
  readonly status: S;
  readonly body: B;
  /** Path of what was created, below the base URL. */
  readonly location?: string;
  /** The entity tag without quotes. */
  readonly etag?: string;
  /** Append a hash of the representation to the entity tag, as of an article's read. */
  readonly etagOfRepresentation?: true;
  /** An anonymous answer that anybody may see: shared caches may keep and revalidate it. */
  readonly shared?: boolean;
  /** The same in another media type that the operation has; JSON when left out. */
  readonly otherwise?: { readonly contentType: string; readonly payload: string };
  /** The read shows what only a moderator sees: recorded in the audit log before it is answered. */
  readonly audited?: AuditedRead;
  /** In place of a body, where the operation has `contentTypes`: for the caller alone. */
  readonly bytes?: ServedBytes;
}

type AnswerTo<O> = AnswerOf<O> & Omit<Answer, 'status' | 'body'>;

/**
 * A refusal that keeps what its transaction wrote, where a thrown problem takes everything back: for
 * what the caller needs to come again, and that must exist when the caller does.
 */
export interface Refusal {
  readonly refusal: Problem;
}

type CallerOf<O> = O extends { readonly access: 'public' } ? Caller | null : Caller;

interface SharedContext<O> {
  readonly caller: CallerOf<O>;
  readonly problem: Problems<ProblemsOf<O>>;
  readonly config: Config;
  /** The one time that this request has. */
  readonly now: Date;
  /** @throws insufficient-scope */
  readonly requireScope: (scope: Scope) => void;
}

/** A wait for news of a topic. From its making on, nothing that happens is missed. */
export interface Listening extends Disposable {
  /**
   * True once something may have happened since the last time; false when `ms` have passed, the client
   * has gone or the server stops: answer with what there is.
   */
  next(ms: number): Promise<boolean>;
}

export interface ReadContext<O> extends SharedContext<O> {
  readonly db: Db;
  /** The media type that the caller would rather have: JSON, or one of `alsoAs` of the operation. */
  readonly mediaType: string;
  /** Waits without holding a connection of the database. The topic is a recipient's id. */
  readonly listen: (topic: string) => Listening;
  /**
   * Marks the texts of records, each with a marker of its own, and looks for what is made for machines. All
   * that an answer needs at once: long ones go to a worker thread. @throws unavailable, rate-limited
   */
  readonly spotlight: LongTexts['spotlight'];
}

export interface WriteContext<O> extends SharedContext<O> {
  readonly tx: Tx;
  /** Draws on the caller's allowance in this transaction; the commit fails where it is exhausted. */
  readonly charge: (action: QuotaAction, amount?: number) => void;
  /**
   * Runs between the commit and the answer. When it fails the effect stays, and the same request sent
   * again is answered from its key.
   */
  readonly afterwards: (work: (db: Database) => Promise<void>) => void;
  /**
   * Runs before the answer when the transaction was refused and certainly had no effect, by a problem or a
   * constraint: deletes what `prepare` left outside the database.
   */
  readonly whenRefused: (work: () => Promise<void>) => void;
  /** The statements are checked and taken back at the end. */
  readonly dryRun: boolean;
}

export interface Input<O> {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  /** The body of an upload, still on its way. */
  readonly bytes: ArrivingBytes | undefined;
  /** Entity tag of If-Match as it came, undefined when none did. */
  readonly ifMatch: string | undefined;
}

type ContextOf<O extends { method: string }> = O['method'] extends 'GET'
  ? ReadContext<O>
  : WriteContext<O>;

type Handler<O extends { method: string }, P> = (
  context: ContextOf<O>,
  input: Input<O>,
  prepared: P,
) => Promise<AnswerTo<O> | (O['method'] extends 'GET' ? never : Refusal)>;

/** What a handler needs and takes a while, done before the transaction holds a connection. */
type Prepare<O, P> = (context: PrepareContext<O>, input: Input<O>) => Promise<P>;

interface PrepareContext<O> {
  readonly caller: CallerOf<O>;
  readonly problem: Problems<ProblemsOf<O>>;
  readonly now: Date;
  readonly config: Config;
  readonly text: TextWork;
  /** Compares two texts in a worker thread. @throws unavailable, rate-limited */
  readonly diffLines: LongTexts['diffLines'];
  readonly db: Db;
  readonly store: MediaStore;
  /** Whether that much is left of the caller's allowance now; `charge` decides. @throws quota-exceeded */
  readonly requireAllowance: (action: QuotaAction, amount: number) => Promise<void>;
}

/** Constraint → the problem that its violation is. */
type Refusals<O> = Readonly<Record<string, (problem: Problems<ProblemsOf<O>>) => Problem>>;

export interface Implementation {
  readonly operation: AnyOperation;
  readonly refusals: Readonly<Record<string, (problem: Problems<ProblemName>) => Problem>>;
  /** No other write of the caller runs beside it: whoever ends the account waits for those under way. */
  readonly alone: boolean;
  /** What is asked of the caller in the statement that finds the caller: see `Caller.beside`. */
  readonly beside: Beside | undefined;
  readonly prepare: ((context: unknown, input: unknown) => Promise<unknown>) | undefined;
  readonly handle: (
    context: unknown,
    input: unknown,
    prepared: unknown,
  ) => Promise<Answer | Refusal>;
}

/**
 * Binds a handler to its operation: `implement(operations.readMe)(async (context, input) => …)`, in two
 * steps so that the operation's types are settled before the handler is looked at. A response without a
 * declared field, an undeclared problem, or a write from an operation that reads does not compile.
 * `prepare` runs before the transaction. `refusals` names the constraints that decide a race, and the
 * problem that the loser gets. `alone`: no other write of the caller runs beside it. `beside`: what the
 * handler needs to know of the caller, and costs no statement.
 */
export function implement<O extends AnyOperation, P = undefined>(
  operation: O,
  prepare?: Prepare<O, P>,
) {
  return (
    handle: Handler<O, P>,
    refusals: Refusals<O> = {},
    { alone = false, beside }: Partial<Pick<Implementation, 'alone' | 'beside'>> = {},
  ): Implementation => ({
    operation,
    refusals,
    alone,
    beside,
    prepare: prepare as Implementation['prepare'],
    handle: handle as Implementation['handle'],
  });
}
