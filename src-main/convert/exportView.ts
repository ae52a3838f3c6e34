import type { Cell } from '../../src-shared/wire/cell.ts';
import type { Dag } from '../../src-shared/wire/dag.ts';
import type { ArtifactRow, ArtifactStore } from '../artifacts/artifact.ts';
import type { Redactor } from '../lib/redactor.ts';
import type { CellRuntime } from '../notebook/kept/runtimeState.ts';

/** A `# @fetch` line of a cell. */
export interface ExportedFetch {
  readonly name: string;
  readonly url: string;
  /** The digest the line pins, or null. */
  readonly pin: string | null;
  readonly refetch: string;
}

/** One cell as an export sees it. */
export interface ExportedCell {
  /** As every answer carries it. */
  readonly cell: Cell;
  /** What a person calls it. */
  readonly title: string;
  readonly appHide: boolean;
  /** Of its present source. */
  readonly sourceHash: string;
  /** What runtime.json would say of its last run. */
  readonly runtime: CellRuntime;
  /** Kept versions by label, newest first; without the iterations of a loop. */
  readonly stored: Readonly<Record<string, readonly ArtifactRow[]>>;
  readonly isLoop: boolean;
  readonly fetches: readonly ExportedFetch[];
}

/** An open notebook as an export sees it: taken at one moment, so that a run beside it changes nothing of it. */
export interface ExportView {
  /** Absolute notebook folder. */
  readonly dir: string;
  readonly name: string;
  readonly notebookId: string;
  readonly lockfileHash: string;
  readonly dag: Dag;
  /** In notebook order. */
  readonly cells: readonly ExportedCell[];
  readonly store: Pick<ArtifactStore, 'readable' | 'rowByUri' | 'current'>;
  /** Hides the values of secrets; text of an export goes through it. */
  readonly redactor: Redactor;
}
