import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../config/configError.ts';
import { whyNotListening } from '../lib/whyNotListening.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** `next` steps over up to 50 ports others listen on. */
  readonly whenBusy: 'fail' | 'next';
}

const STEPS = 50;

/**
 * Listens and answers the port.
 * @throws ConfigError naming the port when it is taken (and the next ones, if asked to look), or why the place is none
 */
export async function listen(server: Server, { host, port, whenBusy }: ListenOptions): Promise<number> {
  const last = whenBusy === 'next' && port !== 0 ? Math.min(65535, port + STEPS) : port;
  for (let candidate = port; candidate <= last; candidate += 1) {
    if (await tryListen(server, { host, port: candidate })) return (server.address() as AddressInfo).port; // TCP
  }
  const tried = last === port ? `Port ${port} is` : `Ports ${port} to ${last} are`;
  throw new ConfigError(`${tried} in use on ${host}. Choose another with --port or SVC_PORT.`, 'SVC_PORT');
}

/** False when somebody else listens there. */
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
  const words = whyNotListening(error, at);
  return words === null ? error : new ConfigError(`The server cannot listen: ${words}.`);
}
