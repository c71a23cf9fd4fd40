// GET /healthz and /readyz: whether the process lives, and whether it can serve.
import type { FastifyInstance } from 'fastify';
import { problem } from './problem.ts';

/** One thing that must work for the service to be ready. */
export interface Probe {
  readonly name: string;
  /** Throws, with a sentence, when it does not work. */
  readonly check: () => Promise<void>;
}

const probeSeconds = 2;

async function outcome(probe: Probe): Promise<readonly [string, string]> {
  const late = AbortSignal.timeout(probeSeconds * 1000);
  const timeout = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(new Error(`no answer in ${probeSeconds} s`)), {
      once: true,
    });
  });
  try {
    await Promise.race([probe.check(), timeout]);
    return [probe.name, 'ok'];
  } catch (error) {
    return [probe.name, (error as Error).message];
  }
}

/** Adds the two paths. /healthz asks nobody; /readyz asks every probe and answers 503 `unavailable` when one fails. */
export function addHealth(app: FastifyInstance, probes: readonly Probe[]): void {
  app.get('/healthz', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', async (_request, reply) => {
    const outcomes = await Promise.all(probes.map(outcome));
    const checks = Object.fromEntries(outcomes);
    const failed = outcomes.filter(([, state]) => state !== 'ok');
    if (failed.length > 0) {
      const detail = `Not ready: ${failed.map(([name, state]) => `${name}: ${state}`).join('; ')}.`;
      throw problem('unavailable', detail, { checks, retry_after_seconds: 1 });
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready', checks });
  });
}

export const healthRoutes = [
  { method: 'GET', path: '/healthz' },
  { method: 'GET', path: '/readyz' },
] as const;
