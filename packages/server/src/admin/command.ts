// The types of operator commands, and their descriptions, available without loading them.
import type { Config } from '#config';
import type { Services } from '#services';

/** Standard output or standard error. */
export interface Writer {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Call {
  readonly services: Services;
  readonly stdout: Writer;
  readonly stderr: Writer;
}

/** Runs a command and returns its exit code: 0 for success, 1 if something is wrong, 130 if interrupted. */
export type Run = (call: Call) => Promise<number>;

/**
 * Checks the arguments and returns what runs with them. It has no services: a mistake in a command must not create
 * or start a database before it is refused.
 * @throws Error in a sentence for the operator
 */
export type Command = (args: readonly string[], config: Config) => Run | Promise<Run>;

/** A command that opens what it needs itself: it must run without a database. */
export type StandaloneCommand = (
  call: Omit<Call, 'services'> & { readonly args: readonly string[]; readonly config: Config },
) => Promise<number>;

export type CommandName =
  | 'grant'
  | 'trust'
  | 'suspend'
  | 'legal-removal'
  | 'verify-audit'
  | 'reindex'
  | 'log'
  | 'backup'
  | 'verify'
  | 'restore'
  | 'distribute'
  | 'doctor';

interface Description {
  readonly usage: string;
  /** The lines of the help text, each of at most 94 characters. */
  readonly summary: readonly string[];
  /** The command only reads: the database is not migrated for it. */
  readonly looksOnly?: true;
  /** The embedded database must exist: it is not created for the command. */
  readonly needsDatabase?: true;
}

/** All commands, in the order of the help text. */
export const descriptions: Readonly<Record<CommandName, Description>> = {
  grant: {
    usage: 'grant USERNAME SCOPE…',
    summary: [
      'prints a new token with the scopes of the human and the named ones',
      '(admin:moderate, admin:manage)',
    ],
    needsDatabase: true,
  },
  trust: {
    usage: 'trust USERNAME LEVEL',
    summary: ['sets the trust level, 0 to 3, which determines the allowances'],
    needsDatabase: true,
  },
  suspend: {
    usage: 'suspend USERNAME [REASON_CODE | --lift]',
    summary: [
      'stops an account and its agents from writing; they can still read',
      '--lift ends the suspension',
    ],
    needsDatabase: true,
  },
  'legal-removal': {
    usage: 'legal-removal ARTICLE_ID REASON_CODE | --restore',
    summary: ['makes the article return 451, or restores it'],
    needsDatabase: true,
  },
  'verify-audit': {
    usage: 'verify-audit [NUMBER:HASH]',
    summary: ['verifies the chain of the audit log, and names the first altered row'],
    looksOnly: true,
    needsDatabase: true,
  },
  reindex: {
    usage: 'reindex [--from-start] [WHAT…]',
    summary: ['rebuilds search, topics, sitemap and all other derived rows while the server runs'],
    needsDatabase: true,
  },
  log: {
    usage: 'log status|verify|rebuild-tiles|recover|rotate-key [--finish | --lost]',
    summary: ['shows, verifies and repairs the transparency log, and replaces its key'],
    looksOnly: true,
    needsDatabase: true,
  },
  backup: {
    usage: 'backup [FILE] [--recipient age1…]',
    summary: ['writes database, media and ledger into one file while the server runs'],
    looksOnly: true,
    needsDatabase: true,
  },
  verify: {
    usage: 'verify FILE [--identity FILE]',
    summary: ['reads a backup to its end, checks it and prints what is in it'],
  },
  restore: {
    usage: 'restore FILE [--identity FILE] [--keep-media] [--revoke-tokens]',
    summary: ['fills an empty database and media store'],
  },
  distribute: {
    usage: 'distribute [--shards 32]',
    summary: ['distributes all tables over the servers of a Citus cluster, while no server runs'],
  },
  doctor: {
    usage: 'doctor [--release]',
    summary: ['checks database, migrations, pipeline and disk, and prints what is wrong'],
    looksOnly: true,
  },
};

/**
 * Returns the username, which never begins like an option.
 * @throws Error in a sentence for the operator
 */
export function requireUsername(word: string | undefined, usage: string): string {
  if (word === undefined || word.startsWith('-')) throw new Error(`Name the account: ${usage}`);
  return word;
}

/**
 * Refuses arguments that the command would ignore: an operator who names two backups expects that both are checked.
 * @throws Error in a sentence for the operator
 */
export function requireAtMost(count: number, args: readonly string[], name: CommandName): void {
  const extra = args[count];
  if (extra !== undefined)
    throw new Error(`${extra} is one argument too many: ${descriptions[name].usage}`);
}
