/** Everything that the process of a console inside a cell starts with: the values, the interpreter and the folder. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { SetupCode } from '../../exec/interpreter.ts';
import type { DataUse } from '../../mount/dataAccess.ts';
import type { StepInput } from '../../run/step.ts';

/** What a console inside a cell starts with: everything the effect needs, as of now. */
export interface InspectOpening {
  readonly cellId: CellId;
  readonly notebookId: string;
  readonly interpreter: { readonly path: string; readonly identity: string };
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly setup: SetupCode | null;
  /** The cell's inputs, overridden by its own stored values; both as they are in the store now. */
  readonly values: readonly StepInput[];
  /** Mounts, fetched files, datasets and tables of the cell. */
  readonly data: readonly DataUse[];
  /** The cell's last display, for `_`; null if it has none. */
  readonly lastDisplay: string | null;
  /** Missing names that the cell reads or defines, each with the reason. */
  readonly missing: Readonly<Record<string, string>>;
}
