/** The structured log of the program: one line per entry, without secret values. */

import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import type { HiddenText } from './hiddenText.ts';
import type { LogRing } from './logRing.ts';

/** A structured log: `log.info({ cell_id }, 'message')`. Never pass bodies, sources or secrets to it. */
export type Logger = PinoLogger;

export type LogLevel = 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR' | 'CRITICAL';

interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'json' | 'text';
  /** Where lines are written; default stderr. Results of commands own stdout. */
  readonly destination?: DestinationStream;
  /** Receives every line, also those below `level` that a child logger produces. */
  readonly ring?: LogRing;
  /** The values that no line may contain. */
  readonly hidden?: HiddenText;
}

const PINO_LEVELS = {
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warn',
  ERROR: 'error',
  CRITICAL: 'fatal',
} as const satisfies Record<LogLevel, string>;

/** The specification's names of pino's levels (docs/spec/core-services.md, 9: level in lower case). */
const LEVEL_NAMES: Readonly<Record<string, string>> = { warn: 'warning', fatal: 'critical' };

/** Fields that are replaced in every line, as a safety net: they must never be logged. */
const SECRET_FIELDS = ['authorization', 'cookie', 'token', 'password', 'secret', 'api_key'].flatMap(
  (field) => [field, `*.${field}`],
);

/** Logs to stderr, one line an entry: `{level, timestamp, message, …}` or text. */
export function createLogger(options: LogOptions): Logger {
  const { level, format, destination = stderr(), ring, hidden } = options;
  const plain = format === 'text' ? asText(destination) : destination;
  const written = ring === undefined ? plain : beside(ring, { written: plain, level });
  const target =
    hidden === undefined ? written : { write: (line: string) => written.write(hidden.line(line)) };
  return pino(
    {
      level: PINO_LEVELS[level],
      base: null,
      messageKey: 'message',
      errorKey: 'exception',
      timestamp: () => stdTimeFunctions.isoTime().replace('"time"', '"timestamp"'),
      formatters: {
        level: (label) => ({ level: LEVEL_NAMES[label] ?? label }),
        log: ({ err, ...fields }) => (err === undefined ? fields : { ...fields, exception: err }),
      },
      redact: { paths: SECRET_FIELDS, censor: '[hidden]' },
    },
    target,
  );
}

const NAMES: readonly string[] = ['debug', 'info', 'warning', 'error', 'critical'];

/**
 * Lines below the log's own level, from a child with a lower one, only go to the ring. The level comes first in a line.
 */
function beside(
  ring: LogRing,
  { written, level }: { readonly written: DestinationStream; readonly level: LogLevel },
): DestinationStream {
  const least = NAMES.indexOf(level.toLowerCase());
  return {
    write: (line) => {
      ring.write(line);
      const name = /^\{"level":"(\w+)"/.exec(line)?.[1] ?? '';
      if (NAMES.indexOf(name) >= least) written.write(line);
    },
  };
}

/** A synchronous destination, because the line before a crash is the important one. */
function stderr(): DestinationStream {
  return pino.destination({ dest: 2, sync: true });
}

function asText(destination: DestinationStream): DestinationStream {
  return {
    write: (line) => {
      const { timestamp, level, message, ...rest }: Record<string, unknown> = JSON.parse(line);
      const fields = Object.entries(rest).map(([key, value]) =>
        key === 'exception' && isException(value) ? `\n${value.stack}` : `${key}=${JSON.stringify(value)}`,
      );
      const head = `${timestamp} ${String(level).toUpperCase().padEnd(8)} ${message ?? ''}`;
      destination.write(`${[head, ...fields].join(' ')}\n`);
    },
  };
}

function isException(value: unknown): value is { readonly stack: string } {
  return typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string';
}
