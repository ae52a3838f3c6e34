/** The part of the session's reducer that removes stored results from the state that a sweep deleted. */

import { parseArtifactId } from '../../../src-shared/notebook/artifactIds.ts';
import { parseArtifactUri } from '../../artifacts/uri.ts';
import { versionsOf } from '../../run/storedVersions.ts';
import { walkStatuses } from '../keys/statuses.ts';
import type { Reducer } from '../state/events.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { statusFrames } from '../view/frames.ts';
import { reduction, unchanged } from './reductions.ts';

/**
 * A sweep deleted unused versions: no run may look them up, and the cells' current versions are unchanged.
 */
export const onResultsCollected: Reducer<'results_collected'> = (state, event) => {
  const removals = goneByCell(state, event.uris);
  if (removals.size === 0) return unchanged(state);
  const cells = new Map(state.cells);
  for (const [cell, labels] of removals) {
    const artifacts = { ...cell.artifacts };
    for (const [label, versions] of labels) {
      artifacts[label] = versionsOf(artifacts, label).filter(({ version }) => !versions.has(version));
    }
    cells.set(cell.id, { ...cell, artifacts });
  }
  const after = walkStatuses({ ...state, cells });
  return reduction(after, statusFrames(state, after));
};

type DeletedVersions = ReadonlyMap<CellState, ReadonlyMap<string, ReadonlySet<number>>>;

function goneByCell(state: SessionState, uris: readonly string[]): DeletedVersions {
  const byName = new Map<string, CellState>(state.cells);
  const removals = new Map<CellState, Map<string, Set<number>>>();
  for (const uri of uris) {
    const ref = parseArtifactUri(uri);
    const artifact = ref && parseArtifactId(state.notebookId, ref.id, (name) => byName.has(name));
    const cell = byName.get(artifact?.cellId ?? '');
    if (!ref || !artifact || cell === undefined || !Object.hasOwn(cell.artifacts, artifact.label)) continue;
    const labels = removals.get(cell) ?? new Map<string, Set<number>>();
    removals.set(cell, labels);
    labels.set(artifact.label, (labels.get(artifact.label) ?? new Set()).add(ref.version));
  }
  return removals;
}
