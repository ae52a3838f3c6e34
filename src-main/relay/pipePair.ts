import { type Duplex, duplexPair } from 'node:stream';

/**
 * Two ends of one connection inside this process, by which a worker's app serves relayed requests. As with a socket, an
 * end that is destroyed takes the other with it.
 */
export function pipePair(): readonly [Duplex, Duplex] {
  const [near, far] = duplexPair();
  near.once('close', () => far.destroy());
  far.once('close', () => near.destroy());
  return [near, far];
}
