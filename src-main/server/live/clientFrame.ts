import type * as z from 'zod';
import type { ErrorCode } from '../../../src-shared/wire/errors.ts';
import {
  CLIENT_FRAMES,
  type ClientFrame,
  isClientFrameType,
  VIEWER_FRAMES,
} from '../../../src-shared/wire/frames/client.ts';
import { clientEnvelope } from '../../../src-shared/wire/frames/envelope.ts';
import type { ServerPayload } from '../../../src-shared/wire/frames/server.ts';
import { type Caller, hasScope } from '../caller.ts';
import { unsound } from '../soundJson.ts';
import { explain, valueAt } from '../validation.ts';

export type SocketRole = 'editor' | 'viewer';

export type ReadFrame =
  /** Not JSON at all: the socket is closed with 1011 (live-protocol 1, 2). */
  | { readonly kind: 'not_json' }
  | { readonly kind: 'refused'; readonly error: ServerPayload<'error'> }
  | { readonly kind: 'frame'; readonly frame: ClientFrame };

/** So much of a type is said back. */
const MAX_TYPE = 200;

const KEPT_IN_FILES: ReadonlySet<string> = new Set(['cell_source_update', 'cell_run_tests']);

/**
 * Reads one message of a client, in the order of live-protocol 1, 2: known type, scope, role, payload.
 * Everything behind this line is trusted. Pure.
 */
export function readClientFrame(text: string, who: { caller: Caller; role: SocketRole }): ReadFrame {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (_notJson) {
    return { kind: 'not_json' };
  }
  const envelope = clientEnvelope.safeParse(message);
  if (!envelope.success)
    return refused('A frame is a JSON object {type, payload} with an object as payload.');
  const { type, payload } = envelope.data;
  const known = isClientFrameType(type) ? CLIENT_FRAMES[type] : null;
  const mayOnlyRead = who.role === 'viewer' && !VIEWER_FRAMES.includes(type);
  const readOnly = (): ReadFrame =>
    refused(`'${type.slice(0, MAX_TYPE)}' is not allowed in read-only app view`, 'read_only');
  if (known === null) {
    // Any frame but its own two is refused a viewer so (live-protocol 3), also one nobody knows.
    return mayOnlyRead ? readOnly() : refused(`Unknown message type: ${type.slice(0, MAX_TYPE)}`);
  }
  if (!hasScope(who.caller, known.scope))
    return refused(`'${type}' requires the ${known.scope} scope`, 'insufficient_scope');
  if (mayOnlyRead) return readOnly();
  const schema: z.ZodType = known.payload;
  const read = schema.safeParse(payload);
  // Sources are looked at by the session, which names the file that could not hold them.
  const fault = KEPT_IN_FILES.has(type) ? null : unsound(payload);
  if (fault !== null) return refused(`${type}: ${fault.at.join('.')}: ${fault.msg}`);
  if (read.success) return { kind: 'frame', frame: { type, payload: read.data } as ClientFrame }; // parsed by `type`
  return refused(`${type}: ${read.error.issues.map((issue) => inWords(issue, payload)).join('; ')}`);
}

type Issue = Parameters<typeof explain>[0];

function inWords(issue: Issue, payload: unknown): string {
  return `${issue.path.map(String).join('.')}: ${explain(issue, valueAt(payload, issue.path)).msg}`;
}

function refused(error: string, code?: ErrorCode): ReadFrame {
  return { kind: 'refused', error: { error, ...(code === undefined ? {} : { code }) } };
}
