/** Decides how the reply of a prompt cell is shared through the team's cache. */

import { createHash } from 'node:crypto';
import type { AiSettings } from '../../ai/aiSettings.ts';
import type { PromptStep } from '../step.ts';
import { type NotShared, type Sharing, sessionKeyMark } from '../team/sharing.ts';

/**
 * How a prompt is shared: its key has the rendered prompt and all settings, so a reply is right wherever they are the
 * same, and comes from the same place.
 */
export function promptSharing(
  request: PromptStep,
  key: string,
  { provider, baseUrl }: Pick<AiSettings, 'provider' | 'baseUrl'>,
): Sharing | NotShared {
  if (!request.cacheable) return { why: 'it is not cached' };
  const runtime = createHash('sha256')
    .update(JSON.stringify(['prompt', provider, baseUrl]))
    .digest('hex');
  return { key, runtime, facts: 'covered', marks: sessionKeyMark(request) };
}
