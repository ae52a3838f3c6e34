/** Refuses connections from programs of other users of this machine, for servers without a credential. */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { endsOf, isLocal, type PeerUsers } from '../../lib/peerUser.ts';

/** Whether to answer the program at the other end of a connection. */
export type PeerCheck = (socket: Socket) => boolean | Promise<boolean>;

export const acceptAnyPeer: PeerCheck = () => true;

export const PEER_REFUSAL =
  'Access denied. This server accepts only programs of the user who started it. To allow other users of this machine, start it with --allow-other-users.';

/**
 * The check of a server without a credential on a machine with several users: a connection from this machine must come
 * from a program of the server's own user, or of root. The lookup starts with the connection and is done once.
 * Connections from other machines are not checked here.
 */
export function createPeerCheck(users: Pick<PeerUsers, 'of'>, server: Server): PeerCheck {
  const verdicts = new WeakMap<Socket, boolean | Promise<boolean>>();
  const look = (socket: Socket): boolean | Promise<boolean> => {
    const ends = endsOf(socket);
    // Closed before it was handled: the answer would not be read.
    if (ends === null) return false;
    if (!isLocal(ends)) return true;
    return users.of(ends).then((user) => {
      const passes = user === 'own' || user === 'root';
      verdicts.set(socket, passes);
      return passes;
    });
  };
  const of = (socket: Socket): boolean | Promise<boolean> => {
    const cachedVerdict = verdicts.get(socket);
    if (cachedVerdict !== undefined) return cachedVerdict;
    const verdict = look(socket);
    verdicts.set(socket, verdict);
    return verdict;
  };
  server.on('connection', of);
  return of;
}
