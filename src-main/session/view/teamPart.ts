/** The fields in the wire form of a cell that say that its result came from the team's cache. */

import type { Cell } from '../../../src-shared/wire/cell.ts';
import { teamOriginIn } from '../../run/team/teamOrigin.ts';
import type { CellState } from '../state/state.ts';

/** Beyond the specification: that the result a cell shows came from the team's cache, and who made it. */
export function teamPart({
  artifacts,
  shownRuns,
}: Pick<CellState, 'artifacts' | 'shownRuns'>): Pick<Cell, 'team_cache'> {
  if (shownRuns === null) return {};
  const runs = new Set(shownRuns.split(' '));
  for (const [row] of Object.values(artifacts)) {
    const origin = row !== undefined && runs.has(row.params['run'] ?? '') ? teamOriginIn(row) : null;
    if (origin === null) continue;
    const { principal, created_at, saved_ms } = origin;
    return { team_cache: { principal, created_at, saved_ms } };
  }
  return {};
}
