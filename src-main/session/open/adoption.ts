/** A cell of a snapshot whose last run is adopted. */

import type { ArtifactStore } from '../../artifacts/artifact.ts';
import type { CellState, ExpectedRun, SessionState } from '../state/state.ts';

/** A cell whose last run is adopted, and the run it would have now. */
export interface Adoption {
  readonly state: SessionState;
  readonly store: ArtifactStore;
  readonly cell: CellState;
  readonly expected: ExpectedRun;
  /** The provenance of the run as hashed by the program that wrote the snapshot. */
  readonly theirs: string;
}
