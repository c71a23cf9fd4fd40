// GET /healthz and /readyz: whether the process lives, and whether it can serve.
import type { FastifyInstance } from 'fastify';

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

/** Adds the two paths. /healthz asks nobody; /readyz asks every probe and answers 503 when one fails. */
export function addHealth(app: FastifyInstance, probes: readonly Probe[]): void {
  app.get('/healthz', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', async (_request, reply) => {
    const checks = Object.fromEntries(await Promise.all(probes.map(outcome)));
    const ready = Object.values(checks).every((state) => state === 'ok');
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ready' : 'unavailable', checks });
  });
}

export const healthRoutes = [
  { method: 'GET', path: '/healthz' },
  { method: 'GET', path: '/readyz' },
] as const;
