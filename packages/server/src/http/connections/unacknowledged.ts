// Response bytes in the kernel that the client has not acknowledged, for each TCP connection (Linux).
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import ipaddr from 'ipaddr.js';

/** One table for each version of IP; the second is missing on a machine without IPv6. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'];
/** A row in proc(5): sl, local address, remote address, state, and the transmit queue. */
const line = /^\s*\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]+:[\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/;

/** Returns the unacknowledged bytes of a connection. */
export type Unacknowledged = (socket: Socket) => number;

/** Returns the address as the tables write it: four-byte words in the byte order of the machine. */
function addressInTable(address: string): string {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  if (endianness() === 'LE') bytes.swap32();
  return bytes.toString('hex').toUpperCase();
}

function portInTable(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

/** Undefined for a closed socket: it has no addresses, and no bytes wait for its client. */
function nameInTable({ localPort, remoteAddress, remotePort }: Socket): string | undefined {
  if (localPort === undefined || remoteAddress === undefined || remotePort === undefined)
    return undefined;
  return `${portInTable(localPort)} ${addressInTable(remoteAddress)}:${portInTable(remotePort)}`;
}

/** Reads the tables; undefined if the system has none. */
export async function readUnacknowledged(): Promise<Unacknowledged | undefined> {
  const texts = await Promise.all(
    tables.map((path) => readFile(path, 'latin1').catch(() => undefined)),
  );
  if (texts.every((text) => text === undefined)) return undefined;
  const bytes = new Map<string, number>();
  for (const row of texts.flatMap((text) => text?.split('\n') ?? [])) {
    const [, local, remote, queue = '0'] = line.exec(row) ?? [];
    if (queue !== '00000000') bytes.set(`${local} ${remote}`, Number.parseInt(queue, 16));
  }
  return (socket) => bytes.get(nameInTable(socket) ?? '') ?? 0;
}
