/** Hides the notebook's secret values in everything that a session sends. */

import type { ConsoleText } from '../../exec/executor.ts';
import {
  createRedactor,
  HIDDEN,
  NOTHING_HIDDEN,
  type Redactor,
  type StreamRedactor,
} from '../../lib/redactor.ts';
import type { NotebookFile } from '../../notebook/file/notebookFile.ts';
import { secretValuesOf } from '../../notebook/stored/sessionSecrets.ts';
import type { PromptDelta } from '../../run/prompt/deltaFeed.ts';

/** The secret values of one open notebook, including previous values, which results may still contain. */
export interface Hiding {
  /** Adds the values of the current file. */
  follow(file: NotebookFile): void;
  /** Adds a value that no file has. */
  add(value: string): void;
  readonly redactor: Redactor;
}

/** With secrets that rotate every minute, this covers more than a day. */
const MAX_VALUES = 2_000;

/** Creates the set of secret values of one session. */
export function createHiding({
  server,
  onValues,
}: {
  /** The server's own secrets. */
  readonly server: readonly string[];
  readonly onValues: (values: Iterable<string>) => void;
}): Hiding {
  const values = new Set<string>();
  let last: NotebookFile | null = null;
  let redactor = server.length === 0 ? NOTHING_HIDDEN : createRedactor(server);
  return {
    get redactor() {
      return redactor;
    },
    follow(file) {
      if (file === last) return;
      last = file;
      hide(secretValuesOf(file));
    },
    add: (value) => hide([value]),
  };

  function hide(more: readonly string[]): void {
    const added = more.filter((value) => !values.has(value));
    if (added.length === 0) return;
    for (const value of added) values.add(value);
    for (const old of values) {
      if (values.size <= MAX_VALUES) break;
      values.delete(old);
    }
    redactor = createRedactor([...server, ...values]);
    onValues(added);
  }
}

/**
 * The live stream's marker for omitted text (`ConsoleFeed`): the text after it may begin in the middle of a
 * value.
 */
const LEFT_OUT = /^\n\[… [\d,]+ bytes of earlier output left out …\]\n$/;

/** Passes the output of a run to the clients with secrets hidden: a value may be split over two chunks. */
export interface LiveText {
  push(text: ConsoleText): void;
  /** Sends the text that was held back for the next chunk. */
  end(): void;
}

/** Hides secrets in the chunks of a run's console. @param show sends text to the clients */
export function liveText(redactor: Redactor, show: (text: ConsoleText) => void): LiveText {
  if (redactor.isIdle) return { push: show, end: () => undefined };
  const lanes: Record<ConsoleText['stream'], StreamRedactor> = {
    stdout: redactor.stream(),
    stderr: redactor.stream(),
  };
  const cut = new Set<ConsoleText['stream']>();
  const give = (stream: ConsoleText['stream'], text: string): void => {
    if (text !== '') show({ stream, text });
  };
  return {
    push({ stream, text }) {
      if (LEFT_OUT.test(text)) {
        give(stream, lanes[stream].end());
        give(stream, text);
        cut.add(stream);
        return;
      }
      const rest = cut.delete(stream) ? redactor.restLength(text) : 0;
      if (rest > 0) give(stream, HIDDEN);
      give(stream, lanes[stream].push(text.slice(rest)));
    },
    end() {
      for (const stream of ['stdout', 'stderr'] as const) give(stream, lanes[stream].end());
    },
  };
}

/**
 * Passes the reply of a model to the clients with secrets hidden: it may repeat a secret of the prompt, split over two
 * chunks.
 */
export function liveDeltas(
  redactor: Redactor,
  show: (delta: PromptDelta) => void,
): { readonly push: (delta: PromptDelta) => void; readonly end: () => void } {
  if (redactor.isIdle) return { push: show, end: () => undefined };
  let lane = redactor.stream();
  let attempt = 1;
  const give = (text: string): void => {
    if (text !== '') show({ attempt, kind: 'delta', text });
  };
  return {
    push(delta) {
      if (delta.kind === 'delta') {
        give(lane.push(delta.text));
        return;
      }
      // The text held back belongs to a discarded reply.
      if (delta.kind === 'retry') lane = redactor.stream();
      attempt = delta.attempt;
      show({ ...delta, text: redactor.text(delta.text) });
    },
    end: () => give(lane.end()),
  };
}
