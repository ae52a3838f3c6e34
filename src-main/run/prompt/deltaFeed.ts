/** Combines the chunks of a model's reply, as they arrive, into few frames for the window. */

/** What is sent about a reply while it arrives (docs/spec/live-protocol.md, 5.1, cell_output_delta). */
export interface PromptDelta {
  /** From 1. */
  readonly attempt: number;
  readonly kind: 'delta' | 'retry' | 'notice';
  readonly text: string;
}

/** Minimum interval between two frames of text: at most thirty a second. */
const PAUSE_MS = 34;

/** Combines the chunks of a reply, possibly thousands, into few frames. `end` ends its timer. */
interface DeltaFeed {
  text(text: string): void;
  /** Discards the text so far: a new reply begins. */
  retry(why: string): void;
  notice(text: string): void;
  end(): void;
}

/** Creates the feed of one reply. @param show sends one frame */
export function createDeltaFeed(show: (delta: PromptDelta) => void): DeltaFeed {
  let attempt = 1;
  let waiting = '';
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    show({ attempt, kind: 'delta', text });
  };
  return {
    text(text) {
      waiting += text;
      timer ??= setTimeout(flush, PAUSE_MS);
    },
    retry(why) {
      waiting = '';
      flush();
      attempt += 1;
      show({ attempt, kind: 'retry', text: why });
    },
    notice(text) {
      flush();
      show({ attempt, kind: 'notice', text });
    },
    end: flush,
  };
}
