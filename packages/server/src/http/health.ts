// GET /healthz and /readyz: whether the process is alive, and whether it can serve requests.
import type { FastifyInstance } from 'fastify';
import type { Config } from '#config';
import { requireReadable } from './input/query.ts';
import { requireLoopbackHost } from './loopback-host.ts';
import { problem } from './problem.ts';

/** The result of a probe that succeeded. */
export interface Found {
  /** Public figures. */
  readonly figures?: object;
  /** Why a worker is not ready although the process can serve requests; for the log. */
  readonly behind?: string | undefined;
}

/** One condition of readiness. */
export interface Probe {
  readonly name: string;
  /** Throws if the condition fails. The reason is logged; clients see only that the probe failed. */
  readonly check: () => Promise<Found | void>;
}

interface Outcome extends Found {
  readonly name: string;
  readonly state: 'ok' | 'behind' | 'failing';
}

/** Called with the reason when a probe fails. */
export type OnFailure = (probe: string, error: unknown) => void;

const probeSeconds = 2;
const keptMs = 1_000;

async function outcome(probe: Probe, onFailure: OnFailure): Promise<Outcome> {
  const late = AbortSignal.timeout(probeSeconds * 1000);
  const timeout = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(new Error(`no answer in ${probeSeconds} s`)), {
      once: true,
    });
  });
  try {
    const found = (await Promise.race([probe.check(), timeout])) ?? {};
    return { name: probe.name, state: found.behind === undefined ? 'ok' : 'behind', ...found };
  } catch (error) {
    onFailure(probe.name, error);
    return { name: probe.name, state: 'failing' };
  }
}

/**
 * Adds the two paths. /healthz runs no probe; /readyz runs every probe and returns 503 `unavailable` if one
 * fails. With `?role=worker` it also does so if work waits for too long: a process that serves requests
 * cannot fix that and must not be removed from rotation for it.
 */
export function addHealth(
  app: FastifyInstance,
  config: Pick<Config, 'baseUrl'>,
  probes: readonly Probe[],
  onFailure: OnFailure,
): void {
  const look = () => Promise.all(probes.map((probe) => outcome(probe, onFailure)));
  // The path is public, so the result is cached for a second.
  let seen: { readonly at: number; readonly outcomes: ReturnType<typeof look> } | undefined;
  const recent = () => {
    const now = performance.now();
    if (seen === undefined || now - seen.at > keptMs) seen = { at: now, outcomes: look() };
    return seen.outcomes;
  };

  app.get('/healthz', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', { onRequest: requireLoopbackHost(config) }, async (request, reply) => {
    const [, query = ''] = request.url.split('?');
    requireReadable(query);
    const role = new URLSearchParams(query).get('role');
    const outcomes = await recent();
    const checks = Object.fromEntries(outcomes.map(({ name, state }) => [name, state]));
    const withFigures = outcomes.filter(({ figures }) => figures !== undefined);
    const figures = Object.fromEntries(withFigures.map(({ name, figures: own }) => [name, own]));
    const failed = outcomes.filter(
      ({ state }) => state === 'failing' || (state === 'behind' && role === 'worker'),
    );
    for (const { name, behind } of failed)
      if (behind !== undefined) onFailure(name, new Error(behind));
    if (failed.length > 0) {
      const names = failed.map(({ name }) => name).join(', ');
      const detail = `Not ready: ${names} failing. The server log shows the reason.`;
      throw problem('unavailable', detail, { checks, retry_after_seconds: 1 });
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready', checks, figures });
  });
}

export const healthRoutes = [
  { method: 'GET', path: '/healthz' },
  { method: 'GET', path: '/readyz' },
] as const;
