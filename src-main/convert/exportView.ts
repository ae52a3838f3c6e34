/** The data of an open notebook that exports are made from. */

import type { AppLayout } from '../../src-shared/wire/appLayout.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { Dag } from '../../src-shared/wire/dag.ts';
import type { ArtifactRow, ArtifactStore } from '../artifacts/artifact.ts';
import type { Redactor } from '../lib/redactor.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import type { CellRuntime } from '../notebook/stored/runtimeState.ts';

/** A `# @fetch` line of a cell. */
interface ExportedFetch {
  readonly name: string;
  readonly url: string;
  /** The digest the line pins, or null. */
  readonly pin: string | null;
  readonly refetch: string;
}

/** One cell as input of an export. */
export interface ExportedCell {
  /** The cell as the API returns it. */
  readonly cell: Cell;
  /** The display name of the cell. */
  readonly title: string;
  /** The hash of its current source. */
  readonly sourceHash: string;
  /** The last run, as in runtime.json. */
  readonly runtime: CellRuntime;
  /** Stored versions by label, newest first; without the iterations of a loop. */
  readonly stored: Readonly<Record<string, readonly ArtifactRow[]>>;
  readonly isLoop: boolean;
  readonly fetches: readonly ExportedFetch[];
}

/** An open notebook as input of an export: a snapshot that a concurrent run does not change. */
export interface ExportView {
  /** Absolute notebook folder. */
  readonly dir: NotebookFolder;
  readonly name: string;
  readonly notebookId: string;
  readonly lockfileHash: string;
  readonly dag: Dag;
  /** The layout of its app view. */
  readonly app: AppLayout;
  /** In notebook order. */
  readonly cells: readonly ExportedCell[];
  readonly store: Pick<ArtifactStore, 'readable' | 'rowByUri' | 'current'>;
  /** Hides secret values; text of an export passes through it. */
  readonly redactor: Redactor;
}
