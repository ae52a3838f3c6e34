/** Finds a free port on loopback for a test server. */

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to connections and to servers without a port of their own (Linux: from
 * 32768 on): one of those may be taken between the check and the use, or while a server restarts.
 */
const FIRST = 12_000;
const LAST = 32_000;

/**
 * A port of 127.0.0.1 on which nothing listens, for a test server that needs a known one or restarts at its address.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(false) : reject(error),
    );
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
