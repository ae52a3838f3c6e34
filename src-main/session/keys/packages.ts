/**
 * Finds the packages that changed since a cell's last run, among those that its newest result reached
 * (docs/soundness.md).
 */

import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { changedPackages, packageFactIn, UNLOCKED_PARAM } from '../../run/observed/packages.ts';
import type { CellState, ExpectedRun, SessionState } from '../state/state.ts';

const newest = new WeakMap<CellState['artifacts'], ArtifactRow | null>();

function newestRow({ artifacts }: CellState): ArtifactRow | null {
  let row = newest.get(artifacts);
  if (row === undefined) {
    row = null;
    for (const [one] of Object.values(artifacts)) {
      if (one !== undefined && (row === null || one.createdAt > row.createdAt)) row = one;
    }
    newest.set(artifacts, row);
  }
  return row;
}

/**
 * The distributions a cell's last run reached that have changed, if a run now would differ only in packages;
 * null if it would differ in more, or its packages are unknown.
 */
export function changedPackagesOf(
  { environment: { packages } }: Pick<SessionState, 'environment'>,
  cell: CellState,
  { unlockedKey }: Pick<ExpectedRun, 'unlockedKey'>,
): readonly string[] | null {
  const row = newestRow(cell);
  if (row === null || packages === null || unlockedKey === null) return null;
  const fact = row.params[UNLOCKED_PARAM] === unlockedKey ? packageFactIn(row) : null;
  return fact === null ? null : changedPackages(fact, packages);
}
