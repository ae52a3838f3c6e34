/** Opens the port on which the server listens; if requested, it skips ports that are in use. */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../config/configError.ts';
import { whyNotListening } from '../lib/whyNotListening.ts';

interface ListenOptions {
  readonly host: string;
  /** 0 lets the system choose a port. */
  readonly port: number;
  /** `next` skips up to 50 ports that are in use. */
  readonly whenBusy: 'fail' | 'next';
}

const MAX_PORTS = 50;

/**
 * Listens and returns the port.
 * @throws ConfigError naming the port if it is in use (and the next ones, with `next`), or why the host cannot be used
 */
export async function listen(server: Server, { host, port, whenBusy }: ListenOptions): Promise<number> {
  const last = whenBusy === 'next' && port !== 0 ? Math.min(65535, port + MAX_PORTS) : port;
  for (let candidate = port; candidate <= last; candidate += 1) {
    if (await tryListen(server, { host, port: candidate })) return (server.address() as AddressInfo).port; // TCP has a numeric port
  }
  const busyPorts = last === port ? `Port ${port} is` : `Ports ${port} to ${last} are`;
  throw new ConfigError(
    `${busyPorts} in use on ${host}. Choose another with --port or SVC_PORT.`,
    'SVC_PORT',
  );
}

/** False if another program listens there. */
function tryListen(server: Server, at: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      server.off('listening', onListening);
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(asConfigError(error, at));
    };
    const onListening = () => {
      server.off('error', onError);
      resolve(true);
    };
    server.once('error', onError);
    server.once('listening', onListening);
    server.listen(at);
  });
}

function asConfigError(error: Error, at: { host: string; port: number }): Error {
  const message = whyNotListening(error, at);
  return message === null ? error : new ConfigError(`The server cannot listen: ${message}.`);
}
