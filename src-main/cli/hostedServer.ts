/** Runs the server of the desktop app in its own process, controlled by messages of the desktop shell. */

import { homedir } from 'node:os';
import {
  readShellMessage,
  type ServerToShell,
  type ShellToServer,
} from '../../src-shared/shell/handshake.ts';
import { takeServerSecrets } from '../config/serverEnvironment.ts';
import type { HostChannel } from './hostChannel.ts';
import { createHostedProcesses, type HostedProcesses } from './hostedProcesses.ts';
import { type ServedApp, startServedApp } from './servedApp.ts';
import { removeServerFile, serverFilePath, writeServerFile } from './serverFile.ts';

type Start = Extract<ShellToServer, { type: 'start' }>;

/**
 * The server of the desktop app, controlled by its channel: it starts with the first message, accepts further grants
 * and trust, reports what is running, and ends on request or when the app has ended. Only these messages grant and
 * trust folders.
 * @returns once everything has ended
 */
export async function runHosted(channel: HostChannel): Promise<void> {
  const send = (message: ServerToShell): void => channel.send(message);
  const app: { starting: Promise<ServedApp | null> } = { starting: Promise.resolve(null) };
  // A process with its own Node starts its processes itself.
  const processes = process.versions['electron'] === undefined ? null : createHostedProcesses(send);
  let started = false;
  const whenServed = async (use: (served: ServedApp) => void | Promise<void>): Promise<void> => {
    const served = await app.starting;
    if (served !== null) await use(served);
  };
  await new Promise<void>((end) => {
    channel.onGone(end);
    process.once('SIGTERM', end);
    process.once('SIGINT', end);
    channel.onMessage((data) => {
      const message = readShellMessage(data);
      switch (message?.type) {
        case 'start':
          if (!started) app.starting = start(message, { send, processes });
          started = true;
          return;
        case 'grant':
          void whenServed((served) => {
            served.grant(message.root);
            send({ type: 'granted', id: message.id });
          });
          return;
        case 'trust':
          void whenServed(async (served) => {
            // An open notebook is reopened: once this is answered, it can run.
            await served.trust(message.root);
            send({ type: 'granted', id: message.id });
          });
          return;
        case 'network':
          void whenServed((served) => served.network(message.variables));
          return;
        case 'ask_running':
          void whenServed((served) => send({ type: 'running', id: message.id, names: served.running() }));
          return;
        case 'helper_said':
        case 'helper_gone':
          processes?.heard(message);
          return;
        case 'stop':
          end();
      }
    });
  });
  const served = await app.starting;
  if (served !== null) {
    await removeServerFile(serverFilePath(homedir()));
    await served.close();
  }
  process.exit(0);
}

/** The running app, or null after reporting the problem to the shell. */
async function start(
  message: Start,
  {
    send,
    processes,
  }: { readonly send: (message: ServerToShell) => void; readonly processes: HostedProcesses | null },
): Promise<ServedApp | null> {
  takeServerSecrets(message.secrets ?? {});
  try {
    const served = await startServedApp({
      // The user's own windows, protected by the token, need no rate limit.
      overrides: { host: '127.0.0.1', publicBasePath: '', rateLimitEnabled: false },
      grants: message.roots,
      visibleFolder: true,
      processHost: processes,
      trust: {
        roots: message.trusted,
        onMade: (path) => send({ type: 'made', path }),
        onRemoved: (path) => send({ type: 'removed', path }),
      },
      ...(message.resources === null ? {} : { resourceDir: message.resources }),
      start: { port: message.port, launchToken: message.token },
    });
    await writeServerFile(serverFilePath(homedir()), { port: served.port, token: message.token });
    send({ type: 'listening', port: served.port });
    return served;
  } catch (error) {
    send({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    return null;
  }
}
