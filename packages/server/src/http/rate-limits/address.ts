// The network address that a request counts for, as forwarded by trusted proxies.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

interface Message {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Parses an address; IPv4-mapped IPv6 becomes IPv4. `isIP` checks it first: it is much faster than the
 * library.
 */
function parseAddress(text: string): Address | undefined {
  const family = isIP(text);
  if (family === 0) return undefined;
  if (family === 4) return ipaddr.IPv4.parse(text);
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Removes the port that some proxies add. */
function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1];
  return bracketed ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}

function networksOf(trusted: readonly string[]): readonly Network[] {
  return trusted.map((one) => {
    const [text = '', length] = one.split('/');
    const address = ipaddr.process(text);
    return [address, length === undefined ? address.toByteArray().length * 8 : Number(length)];
  });
}

function isTrusted(address: Address, networks: readonly Network[]): boolean {
  return networks.some(
    ([network, length]) => network.kind() === address.kind() && address.match(network, length),
  );
}

/**
 * Returns the range of addresses that counts as one client: an IPv4 address, or the /64 of an IPv6 address,
 * because the owner of one address of a /64 has all of them.
 */
function shareOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const parts = (address as ipaddr.IPv6).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}

/** Yields the entries from the last, which the nearest proxy wrote, to the first. */
function* fromTheLast(header: string): Generator<string> {
  for (let end = header.length; end >= 0;) {
    const comma = header.lastIndexOf(',', end - 1);
    yield header.slice(comma + 1, end).trim();
    end = end === 0 ? -1 : comma;
  }
}

/** Returns the client address that trusted proxies report; an entry that is not an address ends the chain. */
function forwardedFor(peer: Address, header: string, networks: readonly Network[]): Address {
  let client = peer;
  for (const entry of fromTheLast(header)) {
    if (!isTrusted(client, networks)) return client;
    const address = parseAddress(withoutPort(entry));
    if (address === undefined) return client;
    client = address;
  }
  return client;
}

export type AddressOf = (message: Message) => string;

/**
 * Returns a function that reads the address that a message counts for. `trusted` lists addresses and networks
 * (CIDR) of proxies: X-Forwarded-For is read entry by entry from its end, as long as a trusted proxy wrote
 * the entry.
 */
export function addressReader(trusted: readonly string[]): AddressOf {
  const networks = networksOf(trusted);
  return ({ socket, headers }) => {
    const text = socket.remoteAddress ?? '';
    if (networks.length === 0 && !text.includes(':')) return text;
    const peer = parseAddress(text);
    if (peer === undefined) return text;
    const header = headers['x-forwarded-for'];
    if (networks.length === 0 || header === undefined) return shareOf(peer);
    return shareOf(forwardedFor(peer, String(header), networks));
  };
}

/**
 * Returns a function that reads the network address that a connection counts for; undefined for a trusted
 * proxy, whose connections carry the requests of many clients.
 */
export function peerReader(
  trusted: readonly string[],
): (remoteAddress: string) => string | undefined {
  const networks = networksOf(trusted);
  return (text) => {
    if (networks.length === 0 && !text.includes(':')) return text;
    const peer = parseAddress(text);
    if (peer === undefined) return text;
    return isTrusted(peer, networks) ? undefined : shareOf(peer);
  };
}
