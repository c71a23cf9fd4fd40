// Whether a host is this machine.

const loopback4 = /^127(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}$/;

/** Takes a host name or an address, with or without the brackets that a URL puts around IPv6. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').replace(/^::ffff:/i, '');
  if (bare === 'localhost' || bare === '::1') return true;
  return loopback4.test(bare);
}
