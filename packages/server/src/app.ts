// The only place where areas and kernel meet: operations onto HTTP, reactions onto the pipeline.
import { openApi, operationList } from '@colophon/contract';
import type { FastifyInstance } from 'fastify';
import * as articles from '#articles';
import type { Database, Tx } from '#database';
import * as discovery from '#discovery';
import * as events from '#events';
import {
  admission,
  addErrorPages,
  addHealth,
  addMediaBytes,
  addMetrics,
  addressReader,
  authenticator,
  bind,
  createServer,
  errorRoutes,
  healthRoutes,
  invoker,
  measureAnswers,
  mediaRoutes,
  metricsRoutes,
  mount,
  openRates,
  trackLastUsed,
  usualBounds,
} from '#http';
import type { Bounds, Invoke, Kernel } from '#http';
import * as identity from '#identity';
import { openLedger } from '#ledger';
import type { Ledger } from '#ledger';
import * as media from '#media';
import * as moderation from '#moderation';
import { openBoard, recipientsOf } from '#notices';
import type { Board } from '#notices';
import { hasMessages, startHints, startOutbox, sweepIdempotencyKeys } from '#outbox';
import type { Reaction } from '#outbox';
import { setMadeWhereNobodyIs, startReindexing } from '#reindex';
import type { Services } from '#services';
import * as social from '#social';
import { figuresOf, probesOf } from './watching.ts';
import {
  addLlms,
  addOgImages,
  addRobots,
  addSitemap,
  addWeb,
  llmsRoutes,
  ogRoutes,
  problemPages,
  robotsRoutes,
  sitemapRoutes,
  webRoutes,
} from '#web';
import { webPartsOf } from './web-parts.ts';

export interface App extends AsyncDisposable {
  readonly server: FastifyInstance | undefined;
  readonly invoke: Invoke;
  /** How many polls wait for an event. */
  waiting(): number;
}

export const implementations = [
  ...identity.operations,
  ...articles.operations,
  ...discovery.operations,
  ...media.operations,
  ...social.operations,
  ...moderation.operations,
  ...events.operations,
];

/** The database as reactions see it: whoever waits for what they tell is woken. */
function telling(db: Database, board: Board): Database {
  return {
    ...db,
    transaction: async (work, wish) => {
      let last: Tx | undefined;
      const result = await db.transaction((tx) => {
        last = tx;
        return work(tx);
      }, wish);
      if (last !== undefined) board.announce(recipientsOf(last));
      return result;
    },
  };
}

interface AppOptions {
  readonly strict?: boolean;
  readonly bounds?: Partial<Bounds>;
  /** false: share images are drawn only when they are requested, not when an article is listed. */
  readonly drawsAhead?: boolean;
}

/** Everything that a worker does when a message arrives. */
export function reactionsOf(
  services: Services,
  ledger: Ledger,
  { drawsAhead = true }: AppOptions = {},
): readonly Reaction[] {
  const { text, config } = services;
  return [
    ...identity.reactions,
    ...articles.reactionsWith({ ledger, text, site: config }),
    ...media.reactionsWith(services),
    ...social.reactions,
    ...moderation.reactions,
    ...discovery.reactions,
    ...discovery.ogReactions(services, drawsAhead),
    ...events.reactions,
  ];
}

function pipelineOf(services: Services, db: Database, ledger: Ledger, options: AppOptions) {
  const { connection, log, config, now } = services;
  if (config.role === 'web') return startHints({ connection, log });
  return startOutbox({
    connection,
    db,
    log,
    now,
    reactions: reactionsOf(services, ledger, options),
    recurring: [
      sweepIdempotencyKeys,
      ...identity.recurring,
      ...articles.recurring,
      ...discovery.recurring,
      ...media.recurringWith(services),
    ],
    concurrency: 4,
  });
}

async function serverOf(
  services: Services,
  kernel: Kernel,
  bound: ReturnType<typeof bind>[],
  { board, bounds }: { readonly board: Board; readonly bounds: Bounds },
) {
  const { config, log, db, now } = services;
  const server = await createServer({
    config,
    log,
    bounds,
    routes: [
      ...operationList,
      ...errorRoutes,
      ...healthRoutes,
      ...metricsRoutes,
      ...mediaRoutes,
      ...robotsRoutes,
      ...llmsRoutes,
      ...ogRoutes,
      ...(config.deployment === 'staging' ? [] : sitemapRoutes),
      ...webRoutes,
      { method: 'GET', path: '/v1/openapi.json' },
    ],
    problemPage: problemPages(config),
  });
  const durations = measureAnswers(server);
  const lastUsed = trackLastUsed(db, now, (error) =>
    log.warn({ err: error }, 'last use of tokens was not written'),
  );
  const rates = await openRates(config, log);
  const addressOf = addressReader(config.trustedProxies);
  mount(server, kernel, bound, {
    authenticate: authenticator(db, config.deployment, lastUsed.note),
    rates,
    addressOf,
  });
  const admit = admission(rates, addressOf);
  addWeb(server, webPartsOf(services, invoker(kernel, bound), admit));
  addErrorPages(server);
  addMediaBytes(server, { store: services.store, find: media.bytesFrom(db), admit });
  addRobots(server, config);
  addLlms(server, config);
  addOgImages(server, discovery.ogImageFrom(services), admit);
  if (config.deployment !== 'staging') addSitemap(server, discovery.sitemapOf(db, config), admit);
  addHealth(server, config, probesOf(services), (probe, error) =>
    log.warn({ probe, err: error }, 'not ready'),
  );
  addMetrics(server, config, durations, figuresOf(services, board, discovery.rebuilding));
  const document = JSON.stringify(
    openApi({ baseUrl: config.baseUrl, errorsBaseUrl: config.errorsBaseUrl, version: 'v1' }),
  );
  server.get('/v1/openapi.json', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('application/json').send(document),
  );
  return { server, lastUsed, rates };
}

/** Puts the parts of this role together. Nothing listens yet. The options are for tests: see Kernel, Bounds. */
export async function createApp(services: Services, options: AppOptions = {}): Promise<App> {
  const bounds = { ...usualBounds, ...options.bounds };
  const ledger = openLedger(services.config.dataDir);
  await articles.applyLedger(services, ledger);
  await setMadeWhereNobodyIs(services.db, discovery.rebuilding, services.now());
  const board = openBoard(services);
  const pipeline = pipelineOf(services, telling(services.db, board), ledger, options);
  const givingUp = new AbortController();
  const kernel: Kernel = {
    config: services.config,
    db: services.db,
    now: services.now,
    text: services.text,
    store: services.store,
    givingUp: givingUp.signal,
    uploadWindowMs: bounds.uploadWindowMs,
    committed: (tx) => {
      if (hasMessages(tx)) pipeline.hint();
      board.announce(recipientsOf(tx));
    },
    listen: board.listen,
    appendAudit: moderation.appendAudit,
    strict: options.strict === true,
  };
  const reindexing =
    services.config.role === 'web' ? undefined : startReindexing(discovery.rebuilding, services);
  const bound = implementations.map(bind);
  const web =
    services.config.role === 'worker'
      ? undefined
      : await serverOf(services, kernel, bound, { board, bounds });
  return {
    server: web?.server,
    invoke: invoker(kernel, bound),
    waiting: board.waiting,
    [Symbol.asyncDispose]: async () => {
      const late = setTimeout(() => givingUp.abort(), bounds.bodiesMs);
      board.release();
      // What is left in the outbox stays there: the next process carries it.
      await Promise.all([
        web?.server.close(),
        pipeline.stop(),
        reindexing?.[Symbol.asyncDispose](),
      ]);
      clearTimeout(late);
      await board[Symbol.asyncDispose]();
      await web?.lastUsed[Symbol.asyncDispose]();
      await web?.rates?.[Symbol.asyncDispose]();
    },
  };
}
