/** Keeps the newest log lines of each notebook in memory, for the Log panel of the window. */

/** One line of the log as the window shows it. */
interface RingLine {
  /** ISO UTC. */
  readonly at: string;
  readonly level: 'debug' | 'info' | 'warning' | 'error' | 'critical';
  readonly message: string;
  /** The fields recorded with the message, as JSON; null if there were none. */
  readonly detail: string | null;
}

const LEVELS = ['debug', 'info', 'warning', 'error', 'critical'] as const;
const KEPT_LINES = 2_000;
/** Enough for a stack trace; a megabyte logged by mistake is truncated. */
const KEPT_CHARACTERS = 8_000;

/** The newest log lines of each notebook, for users without a terminal. Lines are parsed on demand. */
export class LogRing {
  readonly #lines: string[] = [];
  #next = 0;

  /** Takes one JSON line; lines without a notebook are ignored. */
  write(line: string): void {
    if (!line.includes('"notebook":')) return;
    this.#lines[this.#next] = line;
    this.#next = (this.#next + 1) % KEPT_LINES;
  }

  /** Lines whose field `notebook` is this folder, oldest first, unchanged: the caller redacts them. */
  linesOf(notebook: string): readonly RingLine[] {
    const ordered = [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)];
    return ordered.flatMap((line) => {
      const parsed = lineOf(line, notebook);
      return parsed === null ? [] : [parsed];
    });
  }
}

function lineOf(text: string, folder: string): RingLine | null {
  const { level, timestamp, message, notebook, ...rest }: Record<string, unknown> = JSON.parse(text);
  if (notebook !== folder) return null;
  return {
    at: String(timestamp ?? ''),
    level: LEVELS.find((label) => label === level) ?? 'info',
    message: String(message ?? '').slice(0, KEPT_CHARACTERS),
    detail: Object.keys(rest).length === 0 ? null : JSON.stringify(rest).slice(0, KEPT_CHARACTERS),
  };
}
