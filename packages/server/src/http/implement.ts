// Binds an operation of the contract to its handler, with types that check both against each other.
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
import type { Ledger } from '#ledger';
import type { MediaStore } from '#storage';
import type { TextWork } from '@colophon/text';
import type { AuditedRead } from './audited-reads.ts';
import type { Beside, Caller } from './caller.ts';
import type { ArrivingBytes } from './input/upload.ts';
import type { LongTexts } from './long-texts.ts';
import type { ServedBytes } from './media-bytes.ts';
import type { Problem, Problems } from './problem.ts';
import type { Browser, NewSessionCookie } from './session-cookie.ts';
import type { TransparencyLog } from './transparency.ts';

export interface Answer<S extends number = number, B = unknown> {
  readonly status: S;
  readonly body: B;
  /** Path of the created object, below the base URL. */
  readonly location?: string;
  /** The entity tag without quotes. */
  readonly etag?: string;
  /** Append a hash of the representation to the entity tag, as when an article is read. */
  readonly etagOfRepresentation?: true;
  /** The answer is anonymous and public: shared caches may store and revalidate it. */
  readonly shared?: boolean;
  /** The answer in another media type of the operation; JSON if omitted. */
  readonly otherwise?: { readonly contentType: string; readonly payload: string };
  /** The read discloses moderator-only content: it is recorded in the audit log before the answer is sent. */
  readonly audited?: AuditedRead;
  /** For a ceremony: the session that it opened, or that the one of the request has ended. */
  readonly session?: NewSessionCookie | 'ended';
  /** Replaces the body if the operation has `contentTypes`; for the caller only. */
  readonly bytes?: ServedBytes;
}

type AnswerTo<O> = AnswerOf<O> & Omit<Answer, 'status' | 'body'>;

/**
 * A refusal that commits what its transaction wrote, whereas a thrown problem rolls everything back. It is
 * for rows that the caller needs when it retries.
 */
export interface Refusal {
  readonly refusal: Problem;
}

type CallerOf<O> = O extends { readonly access: 'public' } ? Caller | null : Caller;

interface SharedContext<O> {
  readonly caller: CallerOf<O>;
  readonly problem: Problems<ProblemsOf<O>>;
  readonly config: Config;
  /** What the request of a ceremony reveals of the browser. */
  readonly browser: Browser;
  /** The time of this request, the same everywhere in it. */
  readonly now: Date;
  /** @throws insufficient-scope: the token lacks the scope */
  readonly requireScope: (scope: Scope) => void;
}

/** Listens for events of a topic. No event after its creation is missed. */
export interface Listening extends Disposable {
  /**
   * Resolves to true if something may have happened since the last call; to false if `ms` have passed, the
   * client has disconnected or the server stops: then return what is available.
   */
  next(ms: number): Promise<boolean>;
}

export interface ReadContext<O> extends SharedContext<O> {
  readonly db: Db;
  /** The media type that the caller prefers: JSON, or one of `alsoAs` of the operation. */
  readonly mediaType: string;
  /** Waits without occupying a database connection. The topic is the id of a recipient. */
  readonly listen: (topic: string) => Listening;
  /**
   * Marks the texts of records, each with its own marker, and detects content addressed to machines. Takes
   * all texts of an answer at once: long ones are processed in a worker thread.
   * @throws unavailable, rate-limited
   */
  readonly spotlight: LongTexts['spotlight'];
  readonly transparency: TransparencyLog;
}

export interface WriteContext<O> extends SharedContext<O> {
  readonly tx: Tx;
  /** Uses the caller's allowance in this transaction; the commit fails if it is exhausted. */
  readonly charge: (action: QuotaAction, amount?: number) => void;
  /**
   * Runs between the commit and the answer. If it fails, the effect remains, and a retry of the request is
   * answered by replay.
   */
  readonly afterwards: (work: (db: Database) => Promise<void>) => void;
  /** The ledger of erasures: an erasure is answered when the ledger contains it. */
  readonly ledger: Ledger;
  /**
   * Runs before the answer if a problem or a constraint rolled the transaction back and it certainly had no
   * effect: deletes what `prepare` stored outside the database.
   */
  readonly whenRefused: (work: () => Promise<void>) => void;
  /** The statements run and are rolled back at the end. */
  readonly dryRun: boolean;
}

export interface Input<O> {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  /** The body of an upload, which is still arriving. */
  readonly bytes: ArrivingBytes | undefined;
  /** The revision in If-Match, or `*`; undefined if there was none. */
  readonly ifMatch: string | undefined;
  /** What an approval page showed beside the text; no request of the API has it. */
  readonly shown?: string | undefined;
}

type ContextOf<O extends { method: string }> = O['method'] extends 'GET'
  ? ReadContext<O>
  : WriteContext<O>;

type Handler<O extends { method: string }, P> = (
  context: ContextOf<O>,
  input: Input<O>,
  prepared: P,
) => Promise<AnswerTo<O> | (O['method'] extends 'GET' ? never : Refusal)>;

/** Slow work that a handler needs, done before the transaction occupies a connection. */
type Prepare<O, P> = (context: PrepareContext<O>, input: Input<O>) => Promise<P>;

interface PrepareContext<O> {
  readonly caller: CallerOf<O>;
  readonly problem: Problems<ProblemsOf<O>>;
  readonly now: Date;
  readonly config: Config;
  readonly text: TextWork;
  /**
   * Compares two texts in a worker thread.
   * @throws unavailable, rate-limited
   */
  readonly diffLines: LongTexts['diffLines'];
  readonly db: Db;
  readonly store: MediaStore;
  /**
   * Checks that the allowance of the caller has this much left now; `charge` decides later.
   * @throws quota-exceeded
   */
  readonly requireAllowance: (action: QuotaAction, amount: number) => Promise<void>;
}

/** Maps a constraint to the problem that its violation causes. */
type Refusals<O> = Readonly<Record<string, (problem: Problems<ProblemsOf<O>>) => Problem>>;

export interface Implementation {
  readonly operation: AnyOperation;
  readonly refusals: Readonly<Record<string, (problem: Problems<ProblemName>) => Problem>>;
  /**
   * Whether no other write of the caller may run at the same time: closing the account waits for running
   * writes.
   */
  readonly alone: boolean;
  /**
   * Whether it revokes credentials, perhaps its own. It does not lock the credential of its request, because
   * two at once would wait for each other.
   */
  readonly endsCredentials: boolean;
  /** What is queried about the caller in the statement that finds the caller: see `Caller.beside`. */
  readonly beside: Beside | undefined;
  readonly prepare: ((context: unknown, input: unknown) => Promise<unknown>) | undefined;
  readonly handle: (
    context: unknown,
    input: unknown,
    prepared: unknown,
  ) => Promise<Answer | Refusal>;
}

type Terms = Pick<Implementation, 'alone' | 'endsCredentials' | 'beside'>;

/**
 * Binds a handler to its operation: `implement(operations.readMe)(async (context, input) => …)`. It takes two
 * steps so that the types of the operation are inferred before the handler is checked. A response without a
 * declared field, an undeclared problem, or a write in a reading operation does not compile.
 * `prepare` runs before the transaction. `refusals` maps each constraint that decides a race to the problem
 * that the loser gets. `alone`: no other write of the caller runs at the same time. `endsCredentials`: it
 * revokes tokens. `beside`: what the handler needs to know about the caller, read without an extra statement.
 */
export function implement<O extends AnyOperation, P = undefined>(
  operation: O,
  prepare?: Prepare<O, P>,
) {
  return (
    handle: Handler<O, P>,
    refusals: Refusals<O> = {},
    { alone = false, endsCredentials = false, beside }: Partial<Terms> = {},
  ): Implementation => ({
    operation,
    refusals,
    alone,
    endsCredentials,
    beside,
    prepare: prepare as Implementation['prepare'],
    handle: handle as Implementation['handle'],
  });
}
