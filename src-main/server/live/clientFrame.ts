/** Parses a frame that a client sent over the live socket, and checks its scope and role. */

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
import { explain, valueAt } from '../validation.ts';
import { findIllFormedText } from '../wellFormedJson.ts';

export type SocketRole = 'editor' | 'viewer';

type ReadFrame =
  /** Not JSON: the socket is closed with 1011 (docs/spec/live-protocol.md, 1, 2). */
  | { readonly kind: 'not_json' }
  | { readonly kind: 'refused'; readonly error: ServerPayload<'error'> }
  | { readonly kind: 'frame'; readonly frame: ClientFrame };

/** Longest part of an unknown type that an error repeats. */
const MAX_TYPE = 200;

const KEPT_IN_FILES: ReadonlySet<string> = new Set(['cell_source_update', 'cell_run_tests']);

/**
 * Reads one message of a client, in the order of docs/spec/live-protocol.md, 1, 2: known type, scope, role, payload.
 * Later code trusts the result. Pure.
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
  const contract = isClientFrameType(type) ? CLIENT_FRAMES[type] : null;
  const mayOnlyRead = who.role === 'viewer' && !VIEWER_FRAMES.includes(type);
  const readOnly = (): ReadFrame =>
    refused(`'${type.slice(0, MAX_TYPE)}' is not allowed in read-only app view`, 'read_only');
  if (contract === null) {
    // A viewer is refused every frame but its own two with this message (docs/spec/live-protocol.md, 3), unknown types
    // included.
    return mayOnlyRead ? readOnly() : refused(`Unknown message type: ${type.slice(0, MAX_TYPE)}`);
  }
  if (!hasScope(who.caller, contract.scope))
    return refused(`'${type}' requires the ${contract.scope} scope`, 'insufficient_scope');
  if (mayOnlyRead) return readOnly();
  const schema: z.ZodType = contract.payload;
  const parsed = schema.safeParse(payload);
  // The session checks sources itself, because its error names the file that cannot store them.
  const fault = KEPT_IN_FILES.has(type) ? null : findIllFormedText(payload);
  if (fault !== null) return refused(`${type}: ${fault.at.join('.')}: ${fault.msg}`);
  if (parsed.success) return { kind: 'frame', frame: { type, payload: parsed.data } as ClientFrame }; // the schema of `type` parsed it
  return refused(`${type}: ${parsed.error.issues.map((issue) => describeIssue(issue, payload)).join('; ')}`);
}

type Issue = Parameters<typeof explain>[0];

function describeIssue(issue: Issue, payload: unknown): string {
  return `${issue.path.map(String).join('.')}: ${explain(issue, valueAt(payload, issue.path)).msg}`;
}

function refused(error: string, code?: ErrorCode): ReadFrame {
  return { kind: 'refused', error: { error, ...(code === undefined ? {} : { code }) } };
}
