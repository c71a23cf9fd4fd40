// The door of the HTTP kernel, for areas that implement operations and for the app.
export { anonymousLimiter } from './limit-anonymous.ts';
export type { LimitAnonymous } from './limit-anonymous.ts';
export { authenticator } from './authenticate.ts';
export { sessionAuthenticator } from './authenticate-session.ts';
export { bearerCredentials, otherAccount, sessionCredentials } from './credentials.ts';
export type { Credentials } from './credentials.ts';
export { identifier } from './identify.ts';
export type { IsIdentified } from './identify.ts';
export { sessionCookies } from './session-cookie.ts';
export type { Browser, NewSessionCookie } from './session-cookie.ts';
export { compileOperation } from './compile-operation.ts';
export type { CompiledOperation } from './compile-operation.ts';
export { missingScope, requireScope, unauthenticatedProblem } from './caller.ts';
export type { Authenticate, Caller } from './caller.ts';
export { findRedisFault } from './rate-limits/index.ts';
export { freePort } from './free-port.ts';
export { listen } from './listen.ts';
export {
  deleteAnswers,
  eraseStoredDescriptions,
  eraseStoredNotes,
  eraseStoredText,
  eraseStoredTitles,
} from './write/stored-texts.ts';
export { sweeps } from './write/sweep-keys.ts';
export type { AuditedRead } from './audited-reads.ts';
export { implement } from './implement.ts';
export type { Answer, Implementation, Listening } from './implement.ts';
export { invoker } from './invoke.ts';
export type { Invoke } from './invoke.ts';
export { trackLastUsed } from './last-used.ts';
export type { LastUse, LastUsed } from './last-used.ts';
export { deskPrefix, mount } from './mount.ts';
export type { Entrance } from './mount.ts';
export { isAnotherPath } from './paths.ts';
export { formReader } from './read-form.ts';
export type { FormFields, FormLimits, ReadForm } from './read-form.ts';
export { noneMatch } from './input/headers.ts';
export { requireReadable } from './input/query.ts';
export { isNamed, preferredType } from './input/media-type.ts';
export { uploadCounts } from './input/upload.ts';
export type { ArrivingBytes } from './input/upload.ts';
export { openUploadsUnderWay } from './input/uploads-under-way.ts';
export { limitOf, pageOf } from './page.ts';
export { reserveAnswer } from './buffered.ts';
export { preferredCoding, sendCoded, sendUnchanged } from './coded-answers.ts';
export { cacheControlOf, sharedImage } from './shared-caches.ts';
export { sentOf, sha1Of, textPayload } from './payload.ts';
export type { Kernel } from './call.ts';
export { invalid, isProblem, problem } from './problem.ts';
export type { Fault, Problem, Problems } from './problem.ts';
export { allowanceOf, deleteQuotaUses, releaseStored, windowAt } from './write/quotas.ts';
export { addressReader, openRateLimits } from './rate-limits/index.ts';
export type { RateLimits } from './rate-limits/index.ts';
export { closeServer, createServer } from './server.ts';
export { unavailable } from './unavailable.ts';
export { usualBounds } from './connections/index.ts';
export type { Bounds } from './connections/index.ts';
export type { ShownProblem } from './respond.ts';
export type { Log } from './server.ts';
export { addLogFiles, logRoutes } from './log-files.ts';
export { addLogWitness, witnessRoutes } from './log-witness.ts';
export type { TransparencyLog } from './transparency.ts';
export { addMediaBytes, mediaRoutes } from './media-bytes.ts';
export type { ServedBytes } from './media-bytes.ts';
export { addErrorPages, errorRoutes } from './error-pages.ts';
export { addHealth, healthRoutes } from './health.ts';
export type { Probe } from './health.ts';
export { addMetrics, measureAnswers, metricsRoutes, openMetrics } from './metrics/index.ts';
export type { Figure } from './metrics/index.ts';
export { requirePresent } from './require-present.ts';
