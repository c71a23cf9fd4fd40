// Executes a named statement without asking for the description of its rows each time.
import pg from 'pg';
import type { Statement } from './sql.ts';

/** What the driver keeps of a description of rows. */
interface RowShape {
  readonly fields: unknown;
  readonly _parsers: unknown;
  readonly _prebuiltEmptyResultObject: unknown;
}

/** The connection inside a client of `pg`. */
interface Wire {
  describe(message: object): void;
  sync(): void;
  /** Sends one message. */
  _send(message: Buffer): unknown;
}

/** The members of `pg.Query` that are used here; `pg` does not declare them. */
interface DriverQuery extends pg.Query {
  name: string;
  values: readonly unknown[];
  callback: Done;
  _result: RowShape;
  _accumulateRows: boolean;
  prepare(wire: Wire): void;
  handleRowDescription(message: object): void;
  handleCommandComplete(message: object, wire: Wire): void;
}

type Done = (error: Error | null, result: pg.QueryResult<Record<string, unknown>>) => void;

interface Known {
  /** By the name of the statement. */
  readonly shapes: Map<string, RowShape>;
  /** The same connection, which sends no Describe, and the messages of a statement as one. */
  readonly undescribed: Wire;
}

const knownOf = new WeakMap<Wire, Known>();

/** Each write to a socket costs more than copying so few bytes. */
const joinedMax = 4_096;

function undescribedOn(wire: Wire): Wire {
  let messages: Buffer[] = [];
  return Object.assign(Object.create(wire) as Wire, {
    describe: () => undefined,
    _send: (message: Buffer) => messages.push(message),
    sync(this: Wire): void {
      wire.sync.call(this);
      const sent = messages;
      messages = [];
      const bytes = sent.reduce((sum, { length }) => sum + length, 0);
      for (const one of bytes > joinedMax ? sent : [Buffer.concat(sent, bytes)]) wire._send(one);
    },
  });
}

function knownOn(wire: Wire): Known {
  let known = knownOf.get(wire);
  if (known === undefined) {
    known = { shapes: new Map(), undescribed: undescribedOn(wire) };
    knownOf.set(wire, known);
  }
  return known;
}

/**
 * A query of the driver that describes its rows with the first execution on a connection only. As long as a
 * connection lives, a prepared statement returns the same columns: where a changed table would change them,
 * PostgreSQL refuses the statement (`isStalePlan`), and the connection is replaced. The driver asks for the
 * description at each execution, and prepares the parsers of the columns again.
 */
export class PreparedQuery extends (pg.Query as unknown as new (text: string) => DriverQuery) {
  #known: Known | undefined;

  constructor({ name, text, values }: Statement, done: Done) {
    // With an object, the driver would first copy it with the descriptors of its properties.
    super(text);
    this.name = name;
    this.values = values;
    this.callback = done;
  }

  override prepare(wire: Wire): void {
    this.#known = knownOn(wire);
    const shape = this.#known.shapes.get(this.name);
    if (shape === undefined) {
      super.prepare(wire);
      return;
    }
    Object.assign(this._result, shape);
    this._accumulateRows = true;
    super.prepare(this.#known.undescribed);
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message);
    this.#keepShape();
  }

  override handleCommandComplete(message: object, wire: Wire): void {
    // A statement that returns no rows has no description.
    if (this.#known?.shapes.has(this.name) === false) this.#keepShape();
    super.handleCommandComplete(message, wire);
  }

  #keepShape(): void {
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.#known?.shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}
