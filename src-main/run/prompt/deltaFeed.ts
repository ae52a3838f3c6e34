/** What is told of an answer while it comes (document 3, cell_output_delta). */
export interface PromptDelta {
  /** From 1. */
  readonly attempt: number;
  readonly kind: 'delta' | 'retry' | 'notice';
  readonly text: string;
}

/** Between two frames of text; at most thirty a second. */
const PAUSE_MS = 34;

/** Gathers the pieces of an answer, which may come by the thousand, into few frames. Ends its timer with `end`. */
export interface DeltaFeed {
  text(text: string): void;
  /** What was shown does not count: an answer begins anew. */
  retry(why: string): void;
  notice(text: string): void;
  end(): void;
}

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
