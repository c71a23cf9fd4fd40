// The shapes that the embedded database shows to the rest of the server.

/** Where the run of the embedded database is told; the pino methods fit. */
export type EmbeddedLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export type EmbeddedOptions = {
  /** DATA_DIR; the database lives in its subfolder `postgres`. Made when it is missing. */
  dataDir: string;
  log: EmbeddedLog;
  /** PostgreSQL settings by name, over our own (never over the socket, the port and the log's form). */
  settings?: Record<string, string>;
};

/** `host` is the folder of the Unix socket; the kernel tells who connects: the user of this process or root. */
export type EmbeddedConnection = { host: string; port: number; user: string; database: string };

export type EmbeddedDatabase = {
  connection: EmbeddedConnection;
  /** Of the postmaster. */
  pid: number;
  /** Resolves when the server ended without being asked; never after `stop()`. */
  exited: Promise<void>;
  /** Fast shutdown; may be called again. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** What stands in a data folder: `connection` and `pid` only while a server runs on it. */
export type DataDirState = {
  state: 'absent' | 'stopped' | 'running';
  major?: number;
  pid?: number;
  connection?: EmbeddedConnection;
};
