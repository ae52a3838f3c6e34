import { createHash } from 'node:crypto';
import type { AiSettings } from '../../ai/aiSettings.ts';
import { isElsewhere } from '../onWorker.ts';
import type { StepRequest } from '../step.ts';
import { askedUnder, type NotShared, type Sharing } from '../team/sharing.ts';

/**
 * How a prompt is shared: its key has the rendered prompt and all settings, so a reply is right wherever they are the
 * same, and comes from the same place.
 */
export function promptSharing(
  request: StepRequest,
  key: string,
  { provider, baseUrl }: Pick<AiSettings, 'provider' | 'baseUrl'>,
): Sharing | NotShared {
  if (!request.cacheable) return { why: 'it is not cached' };
  if (isElsewhere(request.worker)) return { why: 'it runs on a worker' };
  const runtime = createHash('sha256')
    .update(JSON.stringify(['prompt', provider, baseUrl]))
    .digest('hex');
  return { key, runtime, facts: 'covered', marks: askedUnder(request) };
}
