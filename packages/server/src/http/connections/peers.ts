// Counts the open connections of each network address.
import type { Socket } from 'node:net';
import { peerReader } from '../rate-limits/address.ts';
import type { Peer } from './connection.ts';

export interface Peers {
  /** Adds one connection to the address that the socket comes from. */
  readonly enter: (socket: Socket) => Peer;
  readonly leave: (peer: Peer) => void;
}

/**
 * Counts connections per address. All connections of trusted proxies share one peer without an address, to
 * which no per-address limit applies: the proxy limits its clients.
 */
export function openPeers(trustedProxies: readonly string[]): Peers {
  const addressOf = peerReader(trustedProxies);
  const peers = new Map<string, Peer>();
  const proxies: Peer = { address: undefined, connections: 0, unreadBytes: 0 };

  function find(address: string | undefined): Peer {
    if (address === undefined) return proxies;
    const known = peers.get(address);
    if (known !== undefined) return known;
    const peer = { address, connections: 0, unreadBytes: 0 };
    peers.set(address, peer);
    return peer;
  }

  return {
    enter: ({ remoteAddress = '' }) => {
      const peer = find(addressOf(remoteAddress));
      peer.connections += 1;
      return peer;
    },
    leave: (peer) => {
      peer.connections -= 1;
      if (peer.connections === 0 && peer.address !== undefined) peers.delete(peer.address);
    },
  };
}
