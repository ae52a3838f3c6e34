/** Notices when the other end of a connection between relay and worker is lost. */

/** The time between two pings (docs/spec/relay.md, 1). */
const PING_EVERY_MS = 20_000;
const PONG_WITHIN_MS = 20_000;

interface KeepaliveOptions {
  readonly ping: () => void;
  /** Called once, when a ping was not answered. */
  readonly lost: () => void;
  /** Whether reading from the socket is paused, so that no answer can be seen: the connection is then not judged. */
  readonly isPaused?: () => boolean;
  readonly pongWithinMs?: number;
}

/** Monitors one connection from construction until `stop`. */
export class Keepalive {
  readonly #options: KeepaliveOptions;
  readonly #every: NodeJS.Timeout;
  #deadline: NodeJS.Timeout | null = null;

  constructor(options: KeepaliveOptions) {
    this.#options = options;
    this.#every = setInterval(() => this.probe(), PING_EVERY_MS);
  }

  /** Call for a pong or any other data, which shows that the other end is alive. */
  heard(): void {
    if (this.#deadline !== null) clearTimeout(this.#deadline);
    this.#deadline = null;
  }

  /** Pings now; an answer is due within `withinMs`. */
  probe(withinMs = this.#options.pongWithinMs ?? PONG_WITHIN_MS): void {
    this.#options.ping();
    if (this.#deadline !== null) return;
    this.#deadline = setTimeout(() => {
      this.#deadline = null;
      if (this.#options.isPaused?.() === true) return;
      this.stop();
      this.#options.lost();
    }, withinMs);
  }

  stop(): void {
    clearInterval(this.#every);
    this.heard();
  }
}
