/**
 * The wire form of a notebook's terminal, and of the messages of its socket `/v1/notebooks/ws/{sid}/terminals/{id}`
 * (docs/extensions.md). Each message is one JSON text.
 */

import * as z from 'zod';

export const terminalSize = z.object({
  columns: z.number().int().min(2).max(1_000),
  rows: z.number().int().min(1).max(1_000),
});
export type TerminalSize = z.infer<typeof terminalSize>;

export const terminalView = z.object({
  id: z.string(),
  name: z.string(),
  /** Exit code of its shell; null while it runs. */
  exit_code: z.number().nullable(),
});
export type TerminalView = z.infer<typeof terminalView>;

/** At most this many characters of input in one message. */
const MAX_TERMINAL_INPUT = 1_000_000;

/** From the window. `received` counts the characters of output it has drawn since its last such message. */
export const terminalRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('input'), text: z.string().max(MAX_TERMINAL_INPUT) }),
  z.object({ type: z.literal('resize'), ...terminalSize.shape }),
  z.object({ type: z.literal('received'), characters: z.number().int().min(0) }),
]);
export type TerminalRequest = z.infer<typeof terminalRequest>;

/** To the window. The first output of a socket is what the terminal printed before. */
export const terminalMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('output'), text: z.string() }),
  z.object({ type: z.literal('exit'), exit_code: z.number() }),
]);
export type TerminalMessage = z.infer<typeof terminalMessage>;
