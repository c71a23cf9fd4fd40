// The door of the web: pages, feeds, and files for crawlers. Nothing here accesses the database.
export { addWeb, webRoutes } from './routes.ts';
export type { PageServices } from './page-services.ts';
export { problemPages } from './pages/problem.ts';
export { addLlms, llmsRoutes } from './llms.ts';
export { addOpenApi, openApiRoutes } from './openapi.ts';
export { addOgImages, ogRoutes } from './og.ts';
export { addRobots, robotsRoutes } from './robots.ts';
export { addSitemap, sitemapRoutes } from './sitemap.ts';
