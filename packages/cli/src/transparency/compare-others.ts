// Compares keys, moderation statements and closed accounts of a log with what the service shows.
import { forEachAtOnce, shownOr } from './comparison.ts';
import type { Comparison } from './comparison.ts';
import type { Doubt } from './findings.ts';
import type { LoggedKey } from './leaves.ts';
import { hexHash, sha256 } from './sha256.ts';

/** JSON with its members in the order of RFC 8785, for a flat object of texts and booleans. */
function canonical(value: object): string {
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(members));
}

interface ShownKey {
  readonly public_key: string;
  readonly revoked_at: string | null;
  readonly compromised_at: string | null;
}

/** What a leaf and a record of the service say differently; undefined if they agree. */
function keyFault(key: ShownKey, logged: LoggedKey): string | undefined {
  const hash = Buffer.from(sha256(Buffer.from(key.public_key, 'base64url'))).toString('hex');
  if (hash !== logged.publicKeyHash) return 'the log has another public key';
  if (key.revoked_at === null && logged.revokedLeaf !== null)
    return `leaf ${logged.revokedLeaf} says that it was revoked`;
  if (key.revoked_at !== null && logged.revokedLeaf === null)
    return 'the service says that it was revoked, and no leaf does';
  return logged.compromisedAt === key.compromised_at
    ? undefined
    : 'the log has another time of its compromise';
}

async function compareKeysOf(
  { client, history }: Comparison,
  agent: string,
  found: Doubt[],
): Promise<void> {
  const shown = new Set<string>();
  for await (const key of client.each.listKeys({ id: agent, limit: 100 })) {
    const { id } = key;
    shown.add(id);
    const logged = history.keys.get(id);
    const fault = logged === undefined ? undefined : keyFault(key, logged);
    if (logged === undefined)
      found.push({ kind: 'missing', leaf: null, id, detail: `No leaf registers the key ${id}.` });
    else if (fault !== undefined)
      found.push({ kind: 'different', leaf: logged.leaf, id, detail: `Key ${id}: ${fault}.` });
  }
  for (const [id, { agent: owner, leaf }] of history.keys) {
    if (owner !== agent || shown.has(id)) continue;
    const detail = `The service does not list the key ${id} of leaf ${leaf}.`;
    found.push({ kind: 'extra', leaf, id, detail });
  }
}

async function compareKeys(comparison: Comparison, found: Doubt[]): Promise<void> {
  const { history, signal } = comparison;
  const agents = new Set([...history.keys.values()].map(({ agent }) => agent));
  await forEachAtOnce(agents, signal, async (agent) => {
    // An agent of a closed account is not shown any more, nor are its keys.
    await shownOr(compareKeysOf(comparison, agent, found));
  });
}

async function compareStatements({ client, history }: Comparison, found: Doubt[]): Promise<void> {
  const shown = new Set<string>();
  for await (const record of client.each.listModerationStatements({ limit: 100 })) {
    const { appeal: _, ...statement } = record;
    const hash = hexHash(canonical(statement));
    shown.add(hash);
    if (history.statements.has(hash)) continue;
    const detail = `No leaf has the moderation statement ${record.id} as the service shows it.`;
    found.push({ kind: 'missing', leaf: null, id: record.id, detail });
  }
  for (const [hash, leaf] of history.statements) {
    if (shown.has(hash)) continue;
    const detail = `The service does not show the moderation statement of leaf ${leaf}.`;
    found.push({ kind: 'extra', leaf, id: hash, detail });
  }
}

async function compareClosed(
  { client, history, signal }: Comparison,
  found: Doubt[],
): Promise<void> {
  await forEachAtOnce(history.closed, signal, async ([id, leaf]) => {
    const shown = await shownOr(client.readPrincipal({ id }));
    if ('absent' in shown || shown.value.status !== 'active') return;
    const detail = `Leaf ${leaf} says that the account ${id} was closed, and the service shows it as active.`;
    found.push({ kind: 'different', leaf, id, detail });
  });
}

/** Compares everything but publications. Returns what differs. */
export async function compareOthers(comparison: Comparison): Promise<readonly Doubt[]> {
  const found: Doubt[] = [];
  await compareKeys(comparison, found);
  await compareStatements(comparison, found);
  await compareClosed(comparison, found);
  return found;
}
