// What is stored of a browser: its name, its system and its network, so that people recognize their sessions.
import Bowser from 'bowser';
import ipaddr from 'ipaddr.js';

const agentMax = 400;

/** Returns browser and system of a User-Agent header (RFC 9110, 10.1.5) in words: “Firefox on Linux”. */
export function deviceOf(userAgent: string | undefined): string {
  const unknown = 'Unknown browser';
  if (userAgent === undefined || userAgent === '') return unknown;
  const { browser, os } = Bowser.parse(userAgent.slice(0, agentMax));
  const name = browser.name === undefined || browser.name === '' ? unknown : browser.name;
  return os.name === undefined || os.name === '' ? name : `${name} on ${os.name}`;
}

const networkBits = { ipv4: 24, ipv6: 48 } as const;

/** Returns the network of an address: as much as helps to recognize it, and no more. */
export function networkOf(address: string): string | null {
  const [host = ''] = address.split('/');
  if (!ipaddr.isValid(host)) return null;
  const parsed = ipaddr.process(host);
  const bits = networkBits[parsed.kind()];
  const family = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${parsed.toString()}/${bits}`).toString()}/${bits}`;
}
