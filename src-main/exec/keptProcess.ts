import * as z from 'zod';
import { type WidgetMessage, widgetMessage } from '../../src-shared/wire/widgetMessages.ts';

/** The process of a cell that has ended, kept for the widgets that the cell shows. It changes no stored result. */
export interface KeptProcess {
  /** Resolves with the reason once the process and everything it started have ended. */
  readonly ended: Promise<string>;
  send(message: WidgetMessage): void;
  /** The current state of all its widgets; null once the process has ended. */
  state(): Promise<unknown>;
  /** Calls back with each message of its widgets. Call it once. */
  listen(onMessage: (message: WidgetMessage) => void): void;
  /** Ends the process and everything it started. */
  close(): Promise<void>;
}

/** The lines that the process sends (svc_harness/widget_session.py). */
export const keptLine = z.union([
  z.object({ type: z.literal('state'), id: z.number(), state: z.unknown() }),
  z.object({ type: z.literal('ending'), why: z.string().max(500) }),
  widgetMessage,
]);
