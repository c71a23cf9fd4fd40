// Every method and path of the server, for the answers to unknown ones.
import { ceremonyList, operationList } from '@colophon/contract';
import type { AnyOperation } from '@colophon/contract';
import type { Config } from '#config';
import {
  errorRoutes,
  healthRoutes,
  logRoutes,
  mediaRoutes,
  metricsRoutes,
  witnessRoutes,
} from '#http';
import { deskRoutes } from './desk-entrance.ts';
import { llmsRoutes, ogRoutes, openApiRoutes, robotsRoutes, sitemapRoutes, webRoutes } from '#web';

/** A session joins in its own way, and needs no link to become one. */
export function isForSessions({ name }: Pick<AnyOperation, 'name'>): boolean {
  return name !== 'registerHuman' && name !== 'createWebLink';
}

/** Returns the methods and paths, which depend on the deployment. */
export const routesOf = ({
  deployment,
  witnessedLogs,
}: Config): readonly Pick<AnyOperation, 'method' | 'path'>[] => [
  ...operationList,
  ...ceremonyList,
  ...operationList.filter(isForSessions).map(({ method, path }) => ({ method, path: `/-${path}` })),
  ...deskRoutes,
  ...errorRoutes,
  ...healthRoutes,
  ...metricsRoutes,
  ...mediaRoutes,
  ...logRoutes,
  ...(witnessedLogs.length > 0 ? witnessRoutes : []),
  ...robotsRoutes,
  ...llmsRoutes,
  ...ogRoutes,
  ...(deployment === 'staging' ? [] : sitemapRoutes),
  ...webRoutes,
  ...openApiRoutes,
];
