// TRUSTED_PROXIES: addresses and networks of proxies, none wider than one operator can own.
import { BlockList, isIP } from 'node:net';

/** Shorter prefixes cover more than one operator owns: 10.0.0.0/8, and 2000::/16 among public addresses. */
const shortest = { 4: 8, 6: 16 } as const;

/** The shortest prefix of a private IPv6 network: fc00::/7 is the widest. */
const shortestPrivate = 7;

const expected = 'addresses or networks separated by commas: 10.0.0.1, 192.168.0.0/16, fd00::/8';

function lengthOf(text: string | undefined, max: number): number | undefined {
  if (text === undefined) return max;
  return /^\d{1,3}$/.test(text) && Number(text) <= max ? Number(text) : undefined;
}

function isMapped(address: string): boolean {
  const mapped = new BlockList();
  mapped.addSubnet('::ffff:0:0', 96, 'ipv6');
  return mapped.check(address, 'ipv6');
}

function isPrivate(address: string): boolean {
  const local = new BlockList();
  local.addSubnet('fc00::', shortestPrivate, 'ipv6');
  return local.check(address, 'ipv6');
}

type Network = { readonly address: string; readonly family: 4 | 6; readonly bits: number };

function networkOf(entry: string): Network | undefined {
  const [address = '', length, ...rest] = entry.split('/');
  const family = isIP(address) as 0 | 4 | 6;
  if (family === 0 || rest.length > 0) return undefined;
  const bits = lengthOf(length, family === 4 ? 32 : 128);
  return bits === undefined ? undefined : { address, family, bits };
}

/** Returns the fault of one entry, as the end of a sentence. */
function faultOf(entry: string): string | undefined {
  const network = networkOf(entry);
  if (network === undefined) return `set it to ${expected}`;
  const { address, family, bits } = network;
  if (family === 6 && bits < 128 && isMapped(address))
    return 'write an IPv4 network in IPv4 notation';
  const least = family === 6 && isPrivate(address) ? shortestPrivate : shortest[family];
  if (bits >= least) return undefined;
  return 'the network is so large that any client could forge its address; name the addresses of your proxies';
}

/**
 * Parses the entries of the setting.
 * @throws Error with one sentence that names the entry and its fault
 */
export function trustedProxiesFrom(text: string): readonly string[] {
  const entries = text.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
  for (const entry of entries) {
    const fault = faultOf(entry);
    if (fault !== undefined)
      throw new Error(`TRUSTED_PROXIES is ${JSON.stringify(entry)}: ${fault}.`);
  }
  return entries;
}
