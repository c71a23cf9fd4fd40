// The types of operator commands, and their descriptions, available without loading them.
import type { Services } from '#services';

/** Standard output or standard error. */
export interface Writer {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Call {
  readonly services: Services;
  readonly args: readonly string[];
  readonly stdout: Writer;
  readonly stderr: Writer;
}

/** Runs a command and returns its exit code: 0 for success, 1 if something is wrong, 130 if interrupted. */
export type Command = (call: Call) => Promise<number>;

export type CommandName =
  | 'grant'
  | 'trust'
  | 'suspend'
  | 'legal-removal'
  | 'verify-audit'
  | 'reindex'
  | 'doctor';

interface Description {
  readonly usage: string;
  readonly summary: string;
  /** The command only reads: the database is not migrated for it. */
  readonly looksOnly?: true;
}

/** All commands, in the order of the help text. */
export const descriptions: Readonly<Record<CommandName, Description>> = {
  grant: {
    usage: 'grant USERNAME SCOPE…',
    summary:
      "prints a new token with the human's scopes and those named (admin:moderate, admin:manage)",
  },
  trust: {
    usage: 'trust USERNAME LEVEL',
    summary: 'sets the trust level, 0 to 3, that allowances follow from',
  },
  suspend: {
    usage: 'suspend USERNAME [REASON_CODE | --lift]',
    summary: 'lets an account and its agents read and not write; --lift takes it back',
  },
  'legal-removal': {
    usage: 'legal-removal ARTICLE_ID REASON_CODE | --restore',
    summary: 'answers 451 in place of the article, or gives it back as it was',
  },
  'verify-audit': {
    usage: 'verify-audit [NUMBER:HASH]',
    summary: 'follows the chain of the audit log, and says which row is not what was written',
    looksOnly: true,
  },
  reindex: {
    usage: 'reindex [--anew] [WHAT…]',
    summary: 'makes search, topics, sitemap and all else that is derived anew, while serving',
  },
  doctor: {
    usage: 'doctor [--release]',
    summary: 'looks at database, migrations, pipeline and disk, and says what is wrong',
    looksOnly: true,
  },
};
