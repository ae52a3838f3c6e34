/**
 * The command `svc relay`: passes calls to workers that connected to it and bind no port (docs/relay.md). SIGHUP
 * reloads the list of workers; SIGTERM and SIGINT drain, a second one ends the relay at once.
 */

import { readFile } from 'node:fs/promises';
import { collectInOneGo } from '../../lib/bulkMemory.ts';
import { whyNotListening } from '../../lib/whyNotListening.ts';
import type { Logger } from '../../observe/log.ts';
import { RELAY_LIMITS, type RelayLimits } from '../../relay/server/relayLimits.ts';
import type { RunningRelay } from '../../relay/server/relayServer.ts';
import type { RelayWorkers } from '../../relay/server/relayWorkers.ts';
import { defineCommand, UsageError } from '../arguments.ts';

const MEBIBYTE = 1024 * 1024;
const DEFAULT_PORT = 9100;
const LEVELS = { debug: 'DEBUG', info: 'INFO', warning: 'WARNING', error: 'ERROR' } as const;

export const relay = defineCommand({
  usage: '',
  options: {
    host: { type: 'string', takes: 'H', says: 'Address to listen on. Default: this machine only.' },
    port: { type: 'string', takes: 'N', says: `Port to listen on. Default: ${DEFAULT_PORT}.` },
    workers: {
      type: 'string',
      takes: 'FILE',
      says: 'File with the workers that may connect, in addition to SVC_RELAY_WORKERS.',
    },
    'max-body-mb': { type: 'string', takes: 'N', says: 'Size limit of a request body, in MiB.' },
    'max-streams': { type: 'string', takes: 'N', says: 'Concurrent requests per worker.' },
    'max-spool-mb': {
      type: 'string',
      takes: 'N',
      says: 'Total size limit of responses buffered on disk, in MiB.',
    },
    'drain-seconds': { type: 'string', takes: 'N', says: 'Grace period for running requests after a stop.' },
    'log-level': {
      type: 'string',
      takes: 'LEVEL',
      says: `${Object.keys(LEVELS).join(', ')}. Default: info.`,
    },
    'log-format': { type: 'string', takes: 'text|json', says: 'One line, or one object, per entry.' },
  },
  async run({ values, positionals }) {
    if (positionals.length > 0) throw new UsageError(`unexpected argument \`${positionals[0]}\``);
    const level = values['log-level'] ?? 'info';
    if (!(level in LEVELS))
      throw new UsageError(`--log-level must be one of ${Object.keys(LEVELS).join(', ')}, not ${level}`);
    const format = values['log-format'] ?? 'text';
    if (format !== 'text' && format !== 'json')
      throw new UsageError(`--log-format must be text or json, not ${format}`);
    // Removed from the environment, so that this process cannot pass it on or print it.
    const env = process.env['SVC_RELAY_WORKERS'] ?? '';
    delete process.env['SVC_RELAY_WORKERS'];
    const list = () => listedWorkers(values.workers, env);
    // Not for help and wrong usage [AR-63].
    const { createLogger } = await import('../../observe/log.ts');
    return runRelay({
      host: values.host ?? '127.0.0.1',
      port: wholeNumber('port', values.port, { fallback: DEFAULT_PORT, least: 0, most: 65_535 }),
      limits: {
        ...RELAY_LIMITS,
        maxBodyBytes: mebibytes('max-body-mb', values['max-body-mb'], RELAY_LIMITS.maxBodyBytes),
        maxSpoolBytes: mebibytes('max-spool-mb', values['max-spool-mb'], RELAY_LIMITS.maxSpoolBytes),
        maxStreams: wholeNumber('max-streams', values['max-streams'], {
          fallback: RELAY_LIMITS.maxStreams,
          least: 1,
        }),
        drainMs:
          1000 *
          wholeNumber('drain-seconds', values['drain-seconds'], {
            fallback: RELAY_LIMITS.drainMs / 1000,
            least: 0,
          }),
      },
      // One of LEVELS' keys, checked above.
      log: createLogger({ level: LEVELS[level as keyof typeof LEVELS], format }),
      list,
    });
  },
});

interface RunOptions {
  readonly host: string;
  readonly port: number;
  readonly limits: RelayLimits;
  readonly log: Logger;
  readonly list: () => Promise<RelayWorkers>;
}

async function runRelay({ host, port, limits, log, list }: RunOptions): Promise<number> {
  const workers = await list();
  if (workers.size === 0) {
    throw new UsageError(
      'no workers are allowed to connect. List them in --workers FILE or SVC_RELAY_WORKERS',
    );
  }
  const { startRelay } = await import('../../relay/server/relayServer.ts');
  // After loading, as in `svc serve`.
  collectInOneGo();
  let running: RunningRelay;
  try {
    running = await startRelay({ workers, limits, log }, { host, port });
  } catch (error) {
    const why = whyNotListening(error, { host, port });
    process.stderr.write(
      `svc: the relay cannot start: ${why ?? (error instanceof Error ? error.message : String(error))}\n`,
    );
    return 1;
  }
  // Before the URL is printed: its reader may stop the relay, or reload the list, immediately.
  const stopped = signalled();
  process.on('SIGHUP', () => {
    list().then(
      (workers) => {
        running.setWorkers(workers);
        log.info({ workers: workers.size }, 'reloaded the list of workers');
      },
      (error: unknown) =>
        log.error({ err: error }, 'could not reload the list of workers; keeping the previous one'),
    );
  });
  const printable = host.includes(':') ? `[${host}]` : host;
  process.stdout.write(
    `The relay is at http://${printable}:${running.port}: workers connect to ws://${printable}:${running.port}/connect/NAME, ` +
      `notebooks call http://${printable}:${running.port}/w/NAME/v1/execute\n`,
  );
  await stopped;
  await running.drain();
  return 0;
}

async function listedWorkers(file: string | undefined, env: string): Promise<RelayWorkers> {
  const toml =
    file === undefined
      ? ''
      : await readFile(file, 'utf8').catch((error: unknown) => {
          throw new UsageError(`--workers: ${error instanceof Error ? error.message : String(error)}`);
        });
  const { RelayWorkersError, readRelayWorkers } = await import('../../relay/server/relayWorkers.ts');
  try {
    return readRelayWorkers({ toml, env });
  } catch (error) {
    if (error instanceof RelayWorkersError) throw new UsageError(error.message);
    throw error;
  }
}

function mebibytes(flag: string, text: string | undefined, fallbackBytes: number): number {
  return wholeNumber(flag, text, { fallback: fallbackBytes / MEBIBYTE, least: 1 }) * MEBIBYTE;
}

function wholeNumber(
  flag: string,
  text: string | undefined,
  { fallback, least, most = Number.MAX_SAFE_INTEGER }: { fallback: number; least: number; most?: number },
): number {
  if (text === undefined) return fallback;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < least || number > most)
    throw new UsageError(`--${flag} must be a whole number of at least ${least}, not ${text}`);
  return number;
}

const END_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

function signalled(): Promise<void> {
  return new Promise((done) => {
    let stopping = false;
    for (const [signal, code] of Object.entries(END_CODES)) {
      process.on(signal, () => {
        if (stopping) process.exit(code);
        stopping = true;
        done();
      });
    }
  });
}
