/**
 * The command `svc worker`: runs cells that other machines send, until it is stopped (docs/spec/worker-process.md, 1).
 * Exit code 2 for wrong arguments.
 */

import {
  closeServerMemory,
  keysVisibleInParent,
  serverEnvironment,
  withServerKeys,
} from '../../config/serverEnvironment.ts';
import { collectInOneGo } from '../../lib/bulkMemory.ts';
import { defineCommand, UsageError } from '../arguments.ts';
import { harnessFolder } from '../harnessFolder.ts';
import { readToken } from '../tokenInput.ts';

const LEVELS = { debug: 'DEBUG', info: 'INFO', warning: 'WARNING', error: 'ERROR' } as const;

export const worker = defineCommand({
  usage: '',
  options: {
    host: {
      type: 'string',
      takes: 'H',
      says: 'Address to listen on. Default: all addresses with a token, otherwise this machine only.',
    },
    port: { type: 'string', default: '9000', takes: 'N', says: 'Port to listen on.' },
    connect: {
      type: 'string',
      takes: 'URL',
      says: 'Connect to this relay (ws:// or wss://) instead of opening a port.',
    },
    'token-file': {
      type: 'string',
      takes: 'FILE',
      says: 'File with the token that callers must send; - prompts for it. Default: SVC_WORKER_TOKEN.',
    },
    'connect-token-file': {
      type: 'string',
      takes: 'FILE',
      says: 'File with the token of the relay; - prompts for it. Default: SVC_WORKER_CONNECT_TOKEN.',
    },
    'log-level': {
      type: 'string',
      default: 'info',
      takes: 'LEVEL',
      says: `${Object.keys(LEVELS).join(', ')}.`,
    },
    'max-concurrent': { type: 'string', takes: 'N', says: 'Number of cells that run at the same time.' },
    'gpu-slots': { type: 'string', takes: 'N', says: 'Number of GPUs that cells can use.' },
  },
  async run({ values, positionals }) {
    if (positionals.length > 0) throw new UsageError(`unexpected argument \`${positionals[0]}\``);
    const port = Number(values.port);
    if (!/^\d+$/.test(values.port) || port > 65_535)
      throw new UsageError(`--port must be 0 to 65535, not ${values.port}`);
    const level = Object.entries(LEVELS).find(([name]) => name === values['log-level'])?.[1];
    if (level === undefined) {
      throw new UsageError(
        `--log-level must be one of ${Object.keys(LEVELS).join(', ')}, not ${values['log-level']}`,
      );
    }
    const relay = relayUrl(values.connect);
    const maxConcurrent = countOf('--max-concurrent', values['max-concurrent']);
    const gpuSlots = countOf('--gpu-slots', values['gpu-slots']);
    const token = await tokenOf('--token-file', values['token-file'], 'Token of the worker');
    const connectToken = await tokenOf(
      '--connect-token-file',
      values['connect-token-file'],
      'Token of the relay',
    );
    // Not for help and wrong usage [AR-63].
    const [{ createLogger }, { openTracing }, { stayConnected }, { serveWorker }, settingsFile] =
      await Promise.all([
        import('../../observe/log.ts'),
        import('../../observe/openTracing.ts'),
        import('../../relay/client/stayConnected.ts'),
        import('../../worker/serveWorker.ts'),
        import('../../worker/settings.ts'),
      ]);
    const { WorkerSetupError, workerSettings } = settingsFile;
    const log = createLogger({ level, format: 'text' });
    const warn = (message: string) => log.warn(message);
    collectInOneGo();
    closeServerMemory(warn);
    const env = serverEnvironment();
    for (const name of keysVisibleInParent(
      (one) => one.endsWith('_TOKEN') && one.startsWith('SVC_WORKER_'),
    )) {
      warn(
        `the process that started this worker (${process.ppid}) still shows ${name} to cells of this user; start the worker with \`exec\`, or from a service that reads the token from a file`,
      );
    }
    try {
      const settings = workerSettings(env, {
        ...(maxConcurrent === null ? {} : { maxConcurrent }),
        ...(gpuSlots === null ? {} : { gpuSlots }),
        ...(token === null ? {} : { token }),
        ...(connectToken === null ? {} : { connectToken }),
      });
      return await serveWorker({
        settings: { ...settings, credentials: withServerKeys(settings.credentials) },
        harnessDir: harnessFolder(),
        log,
        tracing: await openTracing({ enabled: true, env: process.env, warn }),
        host: values.host ?? null,
        port,
        connect:
          relay === null
            ? null
            : ({ server }, signal) =>
                stayConnected({ url: relay, token: settings.connectToken, server, signal, log }),
      });
    } catch (error) {
      if (!(error instanceof WorkerSetupError)) throw error;
      process.stderr.write(`svc: ${error.message}\n`);
      return 2;
    }
  },
});

function tokenOf(flag: string, file: string | undefined, what: string): Promise<string | null> {
  return file === undefined ? Promise.resolve(null) : readToken({ flag, file, what });
}

function countOf(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1)
    throw new UsageError(`${flag} must be a whole number of at least 1, not ${text}`);
  return count;
}

function relayUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (URL.canParse(text) && /^wss?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(`--connect must be a ws:// or wss:// address, not ${text}`);
}
