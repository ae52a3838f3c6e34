/** Answers the calls of the page in the desktop app, after checking which page and frame they come from. */

import type { IpcMain, WebFrameMain } from 'electron';
import { CALL_PREFIX, READ_CALL, type ShellCallName, type ShellCalls } from '../../src-shared/shell/calls.ts';
import { isOwn } from './urlRules.ts';

/** The shell's handler for each call, after frame and payload are checked. `W` is the calling window. */
type CallHandlers<W> = {
  readonly [K in ShellCallName]: (
    payload: ShellCalls[K]['asks'],
    window: W,
  ) => Promise<ShellCalls[K]['gives']> | ShellCalls[K]['gives'];
};

interface AnswerOptions<W> {
  readonly ipcMain: Pick<IpcMain, 'handle'>;
  readonly handlers: CallHandlers<W>;
  readonly origin: () => string | null;
  /** The window of this page, or null. */
  readonly windowOf: (contentsId: number) => W | null;
}

/**
 * Handles the page's calls: from the top frame of one of our windows, on our own page, with a valid payload.
 */
export function answerCalls<W>({ ipcMain, handlers, origin, windowOf }: AnswerOptions<W>): void {
  const answer = <K extends ShellCallName>(name: K): void => {
    ipcMain.handle(`${CALL_PREFIX}${name}`, async (event, payload: unknown) => {
      const window = windowOf(event.sender.id);
      if (window === null || !isTrusted(event.senderFrame, origin())) {
        throw new Error(`${name} is not available to this page`);
      }
      const request = READ_CALL[name](payload);
      if (request === null) throw new Error(`${name} was called with invalid arguments`);
      return handlers[name](request.value, window);
    });
  };
  for (const name of Object.keys(READ_CALL)) answer(name as ShellCallName); // keys of a literal
}

/**
 * Whether a call comes from the page itself. A frame inside the page may show foreign output; only the page acts for
 * the user.
 */
function isTrusted(frame: Pick<WebFrameMain, 'parent' | 'url'> | null, origin: string | null): boolean {
  return frame !== null && frame.parent === null && origin !== null && isOwn(frame.url, origin);
}
