// Connects the areas to the kernel: operations to HTTP, subscribers to the pipeline.
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { applyLedger } from '#apply-ledger';
import * as articles from '#articles';
import type { Database, Tx } from '#database';
import * as events from '#events';
import * as exported from '#exports';
import * as feed from '#feed';
import * as home from '#home';
import {
  anonymousLimiter,
  bearerCredentials,
  sessionAuthenticator,
  sessionCredentials,
  addErrorPages,
  addHealth,
  addLogFiles,
  addLogWitness,
  addMediaBytes,
  addMetrics,
  addressReader,
  authenticator,
  compileOperation,
  closeServer,
  createServer,
  formReader,
  identifier,
  invoker,
  measureAnswers,
  mount,
  openMetrics,
  openRateLimits,
  openUploadsUnderWay,
  trackLastUsed,
  usualBounds,
} from '#http';
import type { Bounds, Invoke, Kernel } from '#http';
import * as identity from '#identity';
import { formerLedger } from '#ledger';
import * as media from '#media';
import type { Link } from '#processes';
import * as moderation from '#moderation';
import { openEventNotifier, recipientsOf, unreadOfFound } from '#event-log';
import type { EventNotifier } from '#event-log';
import { hasMessages, startRelayWakeup, startOutbox } from '#outbox';
import { markBuiltWhereEmpty, startReindexing } from '#reindex';
import * as search from '#search';
import type { Services } from '#services';
import * as shareImages from '#share-images';
import { sitemapOf } from '#sitemap';
import * as social from '#social';
import { subscribersOf, rebuilding, recurringOf } from '#subscribers';
import { deskEntrance, isForDesk } from './desk-entrance.ts';
import { figuresOf } from './monitoring.ts';
import { probesOf } from './readiness.ts';
import {
  addLlms,
  addOgImages,
  addOpenApi,
  addRobots,
  addSitemap,
  addWeb,
  problemPages,
} from '#web';
import type { PageServices } from '#web';
import { pageServicesOf } from './page-services.ts';
import { isForSessions, routesOf } from './routes.ts';
import { openTransparency } from './transparency.ts';
import type { Transparency } from './transparency.ts';

export interface App extends AsyncDisposable {
  readonly server: FastifyInstance | undefined;
  readonly invoke: Invoke;
  /** Stores the last uses of tokens and sessions now; otherwise they are stored every 20 seconds. */
  flushUses(): Promise<void>;
  /** Number of polls that wait for an event. */
  waiting(): number;
}

export const implementations = [
  ...identity.operations,
  ...articles.operations,
  ...search.operations,
  ...feed.operations,
  ...home.operations,
  ...media.operations,
  ...social.operations,
  ...moderation.operations,
  ...events.operations,
  ...exported.operations,
];

/** Returns the database for subscribers: after each commit, polls that wait for its events are notified. */
function databaseOfSubscribers(db: Database, notifier: EventNotifier): Database {
  return {
    ...db,
    transaction: async (work, input) => {
      let last: Tx | undefined;
      const result = await db.transaction((tx) => {
        last = tx;
        return work(tx);
      }, input);
      if (last !== undefined) notifier.announce(recipientsOf(last));
      return result;
    },
  };
}

interface AppOptions {
  readonly strict?: boolean;
  readonly bounds?: Partial<Bounds>;
  /** To the supervisor of this host, if this process is not the only one. */
  readonly link?: Link | undefined;
  /** false: share images are drawn only when they are requested, not when an article is listed. */
  readonly drawsAhead?: boolean;
}

function pipelineOf(
  services: Services,
  notifier: EventNotifier,
  stop: AbortSignal,
  options: AppOptions & Pick<Transparency, 'wake'>,
) {
  const { connection, log, config, now } = services;
  if (config.role === 'web') return startRelayWakeup({ connection, log });
  return startOutbox({
    connection,
    db: databaseOfSubscribers(services.db, notifier),
    log,
    traces: services.traces,
    now,
    subscribers: subscribersOf(services, options),
    recurring: recurringOf(services, stop),
    concurrency: 4,
  });
}

/** How requests show who sends them, and what stores when they last did. */
function credentialsOf({ config, log, db, now }: Services, { lastUsedMs: everyMs }: Bounds) {
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'Last uses were not stored; they are retried.');
  const tokens = trackLastUsed({ db, now, everyMs, write: identity.setTokensUsed, onError });
  const sessions = trackLastUsed({ db, now, everyMs, write: identity.setSessionsUsed, onError });
  return {
    uses: [tokens, sessions],
    bearer: bearerCredentials(authenticator(db, config.deployment, tokens.note)),
    session: sessionCredentials(config, sessionAuthenticator(db, now, sessions.note)),
  };
}

/** What the kernel and the server are connected to, beside the services. */
interface Parts {
  readonly notifier: EventNotifier;
  readonly bounds: Bounds;
  readonly transparency: Transparency;
}

async function serverOf(
  services: Services,
  kernel: Kernel,
  compiled: ReturnType<typeof compileOperation>[],
  { notifier, bounds, link, transparency }: Parts & { readonly link: Link | undefined },
) {
  const { config, log, db, traces } = services;
  const server = await createServer({
    config,
    log,
    bounds,
    host: link?.connections,
    traces,
    routes: routesOf(config),
    problemPage: problemPages(config),
  });
  const durations = measureAnswers(server);
  const rates = await openRateLimits(config, log, { host: link?.buckets, traces });
  const addressOf = addressReader(config.trustedProxies);
  const { uses, bearer, session } = credentialsOf(services, bounds);
  const api = { credentials: bearer, rates, addressOf };
  mount(server, kernel, compiled, api);
  const ceremonies = [...identity.ceremonies, ...events.ceremonies].map(compileOperation);
  const entrance = { credentials: session, rates, addressOf };
  mount(server, kernel, ceremonies, entrance);
  mount(
    server,
    kernel,
    compiled.filter(({ operation }) => isForSessions(operation)),
    { ...entrance, below: '/-' },
  );
  mount(server, kernel, compiled.filter(isForDesk), deskEntrance(entrance, services));
  const limitAnonymous = anonymousLimiter(rates, addressOf);
  const callerOf: PageServices['callerOf'] = async (headers, address) =>
    session.arePresent(headers)
      ? ((await session.find(headers, address, unreadOfFound)) ?? null)
      : null;
  const readForm = formReader(entrance, kernel.givingUp);
  const invoke = invoker(kernel, [...compiled, ...ceremonies]);
  await addWeb(server, pageServicesOf(services, invoke, { limitAnonymous, callerOf, readForm }));
  addErrorPages(server, config);
  addMediaBytes(server, { store: services.store, find: media.bytesFrom(db), limitAnonymous });
  addLogFiles(server, transparency.read, limitAnonymous);
  if (transparency.witness !== undefined)
    addLogWitness(server, transparency.witness, limitAnonymous, kernel.givingUp);
  addRobots(server, config);
  addLlms(server, config);
  addOgImages(server, shareImages.ogImageFrom(services), limitAnonymous);
  if (config.deployment !== 'staging') addSitemap(server, sitemapOf(db, config), limitAnonymous);
  addHealth(server, config, probesOf(services), (probe, error) =>
    log.warn({ probe, err: error }, 'A readiness check failed.'),
  );
  addMetrics(
    server,
    config,
    openMetrics(durations, figuresOf(services, notifier, rebuilding), link),
  );
  addOpenApi(server, config, identifier(api));
  return { server, uses, rates };
}

function kernelOf(
  services: Services,
  { notifier, bounds, transparency }: Parts,
  { hint, ...rest }: Pick<Kernel, 'givingUp' | 'strict'> & { readonly hint: () => void },
): Kernel {
  const { config, db, now, text, store, ledger, traces } = services;
  return {
    config,
    db,
    traces,
    publicReads: () => services.replicas?.begin() ?? db,
    now,
    text,
    store,
    ledger,
    uploadWindowMs: bounds.uploadWindowMs,
    uploading: openUploadsUnderWay(config.limits),
    committed: (tx) => {
      if (hasMessages(tx)) hint();
      notifier.announce(recipientsOf(tx));
    },
    listen: notifier.listen,
    appendAudit: moderation.appendAudit,
    transparency: transparency.asked,
    ...rest,
  };
}

/** Creates the parts of this role. Nothing listens yet. The options are for tests: see Kernel, Bounds. */
export async function createApp(services: Services, options: AppOptions = {}): Promise<App> {
  const bounds = { ...usualBounds, ...options.bounds };
  await services.ledger.adopt(join(services.config.dataDir, formerLedger));
  await applyLedger(services, services.ledger);
  await markBuiltWhereEmpty(services.db, rebuilding, services.now());
  const notifier = openEventNotifier(services);
  const stopping = new AbortController();
  const transparency = await openTransparency(services);
  const pipeline = pipelineOf(services, notifier, stopping.signal, {
    ...options,
    wake: transparency.wake,
  });
  const givingUp = new AbortController();
  const parts = { notifier, bounds, transparency };
  const { signal } = givingUp;
  const strict = options.strict === true;
  const kernel = kernelOf(services, parts, { hint: pipeline.hint, givingUp: signal, strict });
  const { role } = services.config;
  const reindexing = role === 'web' ? undefined : startReindexing(rebuilding, services);
  const compiled = implementations.map(compileOperation);
  const isWorker = role === 'worker';
  if (isWorker && options.link !== undefined)
    openMetrics(undefined, figuresOf(services, notifier, rebuilding), options.link);
  const web = isWorker
    ? undefined
    : await serverOf(services, kernel, compiled, { ...parts, link: options.link });
  return {
    server: web?.server,
    invoke: invoker(kernel, compiled),
    flushUses: async () => {
      for (const used of web?.uses ?? []) await used.flush();
    },
    waiting: notifier.waiting,
    [Symbol.asyncDispose]: async () => {
      const late = setTimeout(() => givingUp.abort(), bounds.bodiesMs);
      notifier.release();
      stopping.abort();
      // Messages that are left in the outbox stay there for the next process.
      await Promise.all([
        web && closeServer(web.server),
        pipeline.stop(),
        reindexing?.[Symbol.asyncDispose](),
      ]);
      await transparency[Symbol.asyncDispose]();
      clearTimeout(late);
      await notifier[Symbol.asyncDispose]();
      await Promise.all((web?.uses ?? []).map((used) => used[Symbol.asyncDispose]()));
      await web?.rates?.[Symbol.asyncDispose]();
    },
  };
}
