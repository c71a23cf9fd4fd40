// What a command that waits for a long time says about a service that does not answer.
import { oneLine } from './output/printable.ts';

type Fetch = typeof globalThis.fetch;

function reasonOf(error: unknown): string {
  const { message, cause } = Object(error) as { readonly message?: string; readonly cause?: Error };
  return cause?.message || message || String(error);
}

/**
 * Returns a `fetch` that says once that the service does not answer, and once that it answers again. One failure
 * alone is not said: a connection that a proxy ends after a while is opened again at once.
 */
export function noticingFetch(
  fetch: Fetch,
  { signal, note }: { readonly signal: AbortSignal; readonly note: (text: string) => void },
): Fetch {
  let failures = 0;
  const fail = (fault: string) => {
    failures += 1;
    if (failures === 2) note(`The service ${oneLine(fault)}. Trying again until it answers.`);
  };
  const succeed = () => {
    if (failures >= 2) note('The service answers again.');
    failures = 0;
  };
  return async (input, init) => {
    try {
      const response = await fetch(input, init);
      if (response.status >= 500) fail(`is not available (status ${response.status})`);
      else succeed();
      return response;
    } catch (error) {
      if (!signal.aborted) fail(`does not answer (${reasonOf(error)})`);
      throw error;
    }
  };
}
