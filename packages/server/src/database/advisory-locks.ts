// The advisory locks of the service, in one list: two of them with the same number would exclude each other.

/** The first number of each lock of this list. That of a worker that is alive has a space of its own. */
export const lockSpace = 1_129_270_351;
export const livenessSpace = 1_129_270_352;

/** The second number. It never changes: processes of two versions run side by side during an update. */
export const lockNumbers = {
  migrate: 1,
  relay: 2,
  serviceRole: 3,
  reindex: 4,
  log: 5,
  restore: 6,
  // It was 5 before the transparency log took that number: while one had the lock, the other never ran.
  backup: 7,
  rotation: 8,
} as const;
