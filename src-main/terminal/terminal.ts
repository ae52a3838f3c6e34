/** One terminal of a notebook: a shell, and the windows that show it. */

import type {
  TerminalMessage,
  TerminalRequest,
  TerminalSize,
  TerminalView,
} from '../../src-shared/wire/terminal.ts';
import type { Pty } from './pty.ts';
import { Scrollback } from './scrollback.ts';

/** A window that shows a terminal. */
export interface Viewer {
  send(message: TerminalMessage): void;
  /** Called when the terminal was closed, or when this viewer is too slow. */
  close(reason: 'closed' | 'slow'): void;
}

/** A viewer's end of a terminal. */
interface Attachment {
  take(request: TerminalRequest): void;
  detach(): void;
}

interface Watching {
  readonly viewer: Viewer;
  /** Characters sent to it that it has not drawn yet. */
  pending: number;
  slowTimer: NodeJS.Timeout | null;
}

interface TerminalLimits {
  /** Maximum characters of output to store for windows that are opened later. */
  readonly scrollback: number;
  /** The shell is paused while a viewer has more undrawn characters than this. */
  readonly pauseAt: number;
  readonly resumeAt: number;
  /** How long a slow viewer may pause the shell. */
  readonly slowMs: number;
  /** Time between the end of a window (SIGHUP) and SIGKILL. */
  readonly killMs: number;
}

const LIMITS: TerminalLimits = {
  scrollback: 200_000,
  pauseAt: 400_000,
  resumeAt: 50_000,
  slowMs: 10_000,
  killMs: 2_000,
};

/**
 * One shell and the windows that show it. Output goes to every viewer; a viewer that falls behind pauses the
 * shell, like a slow terminal, and is closed if it does not catch up.
 */
export class Terminal {
  readonly id: string;
  readonly name: string;
  readonly #pty: Pty;
  readonly #limits: TerminalLimits;
  readonly #scrollback: Scrollback;
  readonly #watching = new Set<Watching>();
  /** Resolves when the shell has ended. */
  readonly ended: Promise<void>;
  #exitCode: number | null = null;
  #isPaused = false;

  constructor(options: {
    readonly id: string;
    readonly name: string;
    readonly pty: Pty;
    readonly limits?: Partial<TerminalLimits>;
  }) {
    this.id = options.id;
    this.name = options.name;
    this.#pty = options.pty;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#scrollback = new Scrollback(this.#limits.scrollback);
    this.#pty.onData((text) => this.#print(text));
    this.ended = new Promise((resolve) =>
      this.#pty.onExit(({ exitCode }) => {
        this.#exitCode = exitCode;
        for (const { viewer } of this.#watching) viewer.send({ type: 'exit', exit_code: exitCode });
        resolve();
      }),
    );
  }

  view(): TerminalView {
    return { id: this.id, name: this.name, exit_code: this.#exitCode };
  }

  attach(viewer: Viewer): Attachment {
    const watching: Watching = { viewer, pending: 0, slowTimer: null };
    this.#watching.add(watching);
    this.#show(watching, this.#scrollback.text());
    if (this.#exitCode !== null) viewer.send({ type: 'exit', exit_code: this.#exitCode });
    return {
      take: (request) => this.#take(watching, request),
      detach: () => this.#detach(watching),
    };
  }

  /** Ends the shell and detaches every viewer; resolves when the shell has ended. */
  async close(): Promise<void> {
    for (const watching of [...this.#watching]) {
      this.#detach(watching);
      watching.viewer.close('closed');
    }
    if (this.#exitCode !== null) return;
    this.#pty.kill();
    const timer = setTimeout(() => this.#pty.kill('SIGKILL'), this.#limits.killMs);
    await this.ended;
    clearTimeout(timer);
  }

  #take(watching: Watching, request: TerminalRequest): void {
    if (request.type === 'received') {
      watching.pending = Math.max(0, watching.pending - request.characters);
      this.#balance();
      return;
    }
    if (this.#exitCode !== null) return;
    if (request.type === 'input') this.#pty.write(request.text);
    else this.#resize(request);
  }

  #resize({ columns, rows }: TerminalSize): void {
    this.#pty.resize(columns, rows);
  }

  #print(text: string): void {
    this.#scrollback.push(text);
    for (const watching of this.#watching) this.#show(watching, text);
    this.#balance();
  }

  #show(watching: Watching, text: string): void {
    if (text === '') return;
    watching.pending += text.length;
    watching.viewer.send({ type: 'output', text });
  }

  #detach(watching: Watching): void {
    if (watching.slowTimer !== null) clearTimeout(watching.slowTimer);
    this.#watching.delete(watching);
    this.#balance();
  }

  /** Pauses or resumes the shell, and starts or stops the timer for slow viewers. */
  #balance(): void {
    const { pauseAt, resumeAt, slowMs } = this.#limits;
    for (const watching of this.#watching) {
      if (watching.pending > pauseAt && watching.slowTimer === null) {
        watching.slowTimer = setTimeout(() => {
          this.#detach(watching);
          watching.viewer.close('slow');
        }, slowMs);
      } else if (watching.pending <= resumeAt && watching.slowTimer !== null) {
        clearTimeout(watching.slowTimer);
        watching.slowTimer = null;
      }
    }
    const isHeldUp = [...this.#watching].some(({ slowTimer }) => slowTimer !== null);
    if (isHeldUp === this.#isPaused || this.#exitCode !== null) return;
    this.#isPaused = isHeldUp;
    if (isHeldUp) this.#pty.pause();
    else this.#pty.resume();
  }
}
