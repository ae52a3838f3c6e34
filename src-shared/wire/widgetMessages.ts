/** The wire form of messages between the widgets that a cell shows and its kept process. */

import * as z from 'zod';

/** Longest message of a widget in either direction, as JSON: an upload of 3 MB has 4 MB as base64. */
export const MAX_WIDGET_MESSAGE = 4 * 1024 * 1024;

/**
 * A message between the widgets that a frame shows and the process of their cell. `done` means that the process has
 * handled the message with that id. Buffers are base64.
 */
export const widgetMessage = z.object({
  type: z.enum(['comm_open', 'comm_msg', 'comm_close', 'done']),
  comm_id: z.string().max(200).optional(),
  msg_id: z.string().max(200).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  buffers: z.array(z.string()).optional(),
});
export type WidgetMessage = z.infer<typeof widgetMessage>;
