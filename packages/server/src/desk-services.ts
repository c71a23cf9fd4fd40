// What the pages of moderation read besides operations: the desk of moderators, and decisions for their parties.
import { isAdminScope, scopes } from '@colophon/contract';
import { missingScope, problem } from '#http';
import type { Caller } from '#http';
import * as identity from '#identity';
import { isId, keyOf } from '#lib/id';
import * as moderation from '#moderation';
import type { PageServices } from '#web';
import type { Services } from './services.ts';

type DeskServices = PageServices['desk'];
type Desk = Awaited<ReturnType<DeskServices['require']>>;
type Resources = Pick<Services, 'db' | 'now'>;

const adminScopes = scopes.filter(isAdminScope);

/** A thousand rows each: a piece of the check takes less than a second. */
const auditReads = 20;

/** Returns the function that follows a piece of the audit log. */
function auditCheck({ db }: Resources): Desk['reads']['checkAudit'] {
  return async (after) => {
    const from = after === undefined ? {} : { after };
    const found = await moderation.followAudit(db, { ...from, reads: auditReads });
    return 'reason' in found ? { brokenAt: found.number, reason: found.reason } : found;
  };
}

const countedMs = 2_000;

/** Returns the count of open reports: read every two seconds, for any number of pages that ask. */
function openCount({ db }: Resources): Desk['reads']['openCount'] {
  let seen: { readonly at: number; readonly found: Promise<number> } | undefined;
  return () => {
    const at = performance.now();
    if (seen === undefined || at - seen.at > countedMs) {
      const found = moderation.countOpen(db);
      seen = { at, found };
      found.catch(() => {
        seen = undefined;
      });
    }
    return seen.found;
  };
}

/** What all desks of the process share. */
type Shared = Pick<Desk['reads'], 'checkAudit' | 'openCount'>;

function deskOf({ db, now }: Resources, shared: Shared, caller: Caller): Desk {
  return {
    caller,
    reads: {
      counts: () => moderation.countDesk(db, caller, now()),
      closableOthers: (report) => moderation.countOthers(db, caller, report, now()),
      reportStates: (ids) => moderation.reportStates(db, ids, now()),
      next: (input) => moderation.nextOpenReport(db, input, now()),
      accounts: async (ids) => {
        // A row of the audit log that was altered may name anything.
        const wanted = [...new Set(ids.filter((id) => id !== null && isId(id)))].map(String);
        const rows = wanted.length === 0 ? [] : await identity.listAccounts(db, wanted);
        return new Map(rows.map((row) => [row.id, row]));
      },
      accountNamed: (username) => identity.principalNamed(db, username),
      record: (id) => moderation.authorRecord(db, id),
      object: (type, id) => moderation.objectState(db, { target_type: type, target_id: id }),
      uses: (type, { status, ...rest }) =>
        moderation.usesOf(type, { ...rest, status: status ?? '' }),
      revisedSince: (type, id, times) =>
        moderation.revisedSince(db, { target_type: type, target_id: id }, times),
      adminScopesOf: (id) => identity.listGrantedScopes(db, keyOf(id), adminScopes, now()),
      isIntact: moderation.isAuditRowIntact,
      ...shared,
    },
  };
}

/** Returns what opens the desk. */
export function deskServicesOf(services: Resources): DeskServices {
  const { db, now } = services;
  const shared = { checkAudit: auditCheck(services), openCount: openCount(services) };
  const enter: DeskServices['enter'] = async (caller) => {
    const entry = await identity.enterDesk(db, caller, now());
    return entry.caller === null ? entry.why : deskOf(services, shared, entry.caller);
  };
  return {
    enter,
    confirm: async (caller) => {
      if ((await enter(caller)) === 'no-scope') throw missingScope(['admin:moderate'], caller);
      identity.confirmForDesk(caller, now());
    },
    require: async (caller) => {
      if (caller.suspended) throw problem('forbidden', 'A suspended account cannot moderate.');
      const desk = await enter(caller);
      if (desk === 'unchecked') throw identity.unconfirmedProblem();
      if (desk === 'no-scope') throw missingScope(['admin:moderate'], caller);
      return desk;
    },
  };
}

const keptMs = 5 * 60_000;
const monthsShown = 12;

function monthsBefore(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (monthsShown - 1), 1));
}

/** Returns the public counts of the last twelve months: read every five minutes, for any number of readers. */
export function monthsOf({ db, now }: Resources): PageServices['months'] {
  let seen: { readonly at: number; readonly found: ReturnType<PageServices['months']> } | undefined;
  return () => {
    const at = performance.now();
    if (seen === undefined || at - seen.at > keptMs) {
      const found = moderation.countMonths(db, monthsBefore(now()));
      seen = { at, found };
      found.catch(() => {
        seen = undefined;
      });
    }
    return seen.found;
  };
}

/** Returns the function that reads an action for its parties. */
export function decisionOf({ db, now }: Resources): PageServices['decision'] {
  return async (caller, id) => {
    const decision = await moderation.decisionFor(db, caller, id, now());
    if (decision === undefined || decision.author_id === caller.id) return decision;
    const [agent] = await identity.listAccounts(db, [decision.author_id]);
    return { ...decision, agent: { username: agent?.username } };
  };
}
