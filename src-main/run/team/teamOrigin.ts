/** Records with a row that its result came from the team's cache, and who made it. */

import * as z from 'zod';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { tryParseJson } from '../../lib/tryParseJson.ts';

/** The param that marks a row from the team's cache. */
export const TEAM_PARAM = 'team_cache';

/** Who made a result from the team's cache, and the time it saved. */
const teamOrigin = z.object({
  principal: z.string().nullable(),
  /** When it was stored there, in epoch seconds. */
  created_at: z.number(),
  build_env: z.string(),
  /** Duration of the original run. */
  saved_ms: z.number(),
  /** The name it was promoted under; null: it was not. */
  promotion: z.string().nullable(),
});
export type TeamOrigin = z.infer<typeof teamOrigin>;

const parsed = new WeakMap<ArtifactRow['params'], TeamOrigin | null>();

/** The origin of a row; null if it was made here. */
export function teamOriginIn({ params }: Pick<ArtifactRow, 'params'>): TeamOrigin | null {
  const text = params[TEAM_PARAM];
  if (text === undefined) return null;
  let origin = parsed.get(params);
  if (origin === undefined) {
    origin = teamOrigin.safeParse(tryParseJson(text)).data ?? null;
    parsed.set(params, origin);
  }
  return origin;
}
