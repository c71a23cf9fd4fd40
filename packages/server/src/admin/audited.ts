// Acts of the operator that the audit log keeps.
import { violatedConstraint } from '#database';

/** Runs an act that appends to the audit chain; when another took the next number of it, once more. */
export async function persistently<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (attempt >= 5 || violatedConstraint(error) !== 'audit_log_number_pkey') throw error;
    }
  }
}
