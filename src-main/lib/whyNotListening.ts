/** Explains to users why a server or a worker cannot listen on its address and port. */

import { errnoOf } from './atomicFile.ts';

interface Place {
  readonly host: string;
  readonly port: number;
}

type Words = (at: Place) => string;

const WORDS: Readonly<Record<string, Words>> = {
  EADDRINUSE: ({ host, port }) => `port ${port} is in use on ${host}: choose another port`,
  EACCES: ({ port }) => `this user is not allowed to listen on port ${port}: choose one above 1023`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine: use one that is, or 127.0.0.1`,
  ENOTFOUND: ({ host }) => `${host} was not found: use an address of this machine`,
  EAI_AGAIN: ({ host }) => `${host} cannot be looked up now: use an address of this machine`,
  EAFNOSUPPORT: ({ host }) => `this machine has no addresses of the same kind as ${host}: use another`,
  EINVAL: ({ host }) => `${host} is not an address to listen on: use another`,
};

/**
 * Why the server cannot listen there and what to do about it; null for a failure that has nothing to do with the
 * address.
 */
export function whyNotListening(error: unknown, at: Place): string | null {
  return WORDS[errnoOf(error) ?? '']?.(at) ?? null;
}
