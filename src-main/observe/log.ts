import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import type { HiddenText } from './hiddenText.ts';
import type { LogRing } from './logRing.ts';

/** A structured log: `log.info({ cell_id }, 'words')`. Bodies, sources and secrets are never given to it. */
export type Logger = PinoLogger;

export type LogLevel = 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR' | 'CRITICAL';

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'json' | 'text';
  /** Where lines go; stderr unless told. Results of commands own stdout. */
  readonly destination?: DestinationStream;
  /** Gets every line, also those below `level` that a child logger lets through. */
  readonly ring?: LogRing;
  /** What no line may hold. */
  readonly hidden?: HiddenText;
}

const PINO_LEVELS = {
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warn',
  ERROR: 'error',
  CRITICAL: 'fatal',
} as const satisfies Record<LogLevel, string>;

/** The words of the specification for pino's (core-services 9: level in lower case). */
const LEVEL_NAMES: Readonly<Record<string, string>> = { warn: 'warning', fatal: 'critical' };

/** Safety net: nobody logs these on purpose. */
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

/** Lines a child of a lower level made are for the ring alone. The level is the first thing in a line. */
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

/** Written at once: a line before a crash is the one that matters. */
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
