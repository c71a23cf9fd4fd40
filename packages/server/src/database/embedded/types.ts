// The types of the embedded database's interface.

/** Receives the log of the embedded database; the pino methods fit. */
export type EmbeddedLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export type EmbeddedOptions = {
  /** DATA_DIR; the database is in its subfolder `postgres`. Created if missing. */
  dataDir: string;
  log: EmbeddedLog;
  /**
   * PostgreSQL settings by name, which override the defaults (never the socket, the port and the log format).
   */
  settings?: Record<string, string>;
  /** Called when PostgreSQL is starting: for work that may block this process meanwhile. */
  starting?: (() => void) | undefined;
};

/**
 * `host` is the folder of the Unix socket; the kernel verifies who connects: the user of this process or
 * root.
 */
export type EmbeddedConnection = {
  host: string;
  port: number;
  user: string;
  database: string;
  /** These three are named, so that libpq variables of the shell do not apply. */
  ssl: false;
  sslnegotiation: 'postgres';
  options: string;
};

export type EmbeddedDatabase = {
  connection: EmbeddedConnection;
  /** Process id of the postmaster. */
  pid: number;
  /** Resolves when the server ended unexpectedly; never after `stop()`. */
  exited: Promise<void>;
  /** Fast shutdown; further calls return the same promise. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The state of a data folder: `connection` and `pid` only while a server runs on it. */
export type DataDirState = {
  state: 'absent' | 'stopped' | 'running';
  major?: number;
  pid?: number;
  connection?: EmbeddedConnection;
};
