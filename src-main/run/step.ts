import type { CellId, NotebookId } from '../../src-shared/notebook/ids.ts';
import type { ExecutionMethod } from '../../src-shared/wire/execution.ts';
import type { MutationWarning, Output, OutputPreview } from '../../src-shared/wire/output.ts';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import type { StoredVersions } from './cache.ts';
import type { RunFacts } from './facts.ts';

/** A variable a cell reads: who makes it and which stored version it gets (null: none stored, a NameError at run). */
export interface StepInput {
  readonly variable: string;
  readonly producerId: CellId;
  readonly row: ArtifactRow | null;
}

/** Everything one cell's execution needs, gathered by the reducer: running it decides nothing more. */
export interface StepRequest {
  readonly notebookId: NotebookId;
  readonly notebookDir: string;
  readonly cellId: CellId;
  readonly cellName: string;
  readonly source: string;
  readonly sourceHash: string;
  readonly provenanceHash: string;
  readonly contentKey: string | null;
  readonly envHash: string;
  readonly inputHashes: readonly string[];
  /** What the run uses, for explaining it later; recorded once it succeeds. */
  readonly facts: RunFacts;
  readonly inputs: readonly StepInput[];
  /** Variables later cells read: what is stored. */
  readonly consumed: readonly string[];
  /** Headless runs store what leaves export too. */
  readonly storeLeaves: boolean;
  readonly mutationDefines: readonly string[];
  readonly defines: readonly string[];
  readonly useCache: boolean;
  /** False for @nocache: never a hit, and a leaf leaves no console artifact. */
  readonly cacheable: boolean;
  readonly stored: StoredVersions;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly interpreter: { readonly path: string; readonly identity: string };
}

interface Timed {
  readonly durationMs: number;
  /** Milliseconds since the epoch; set by who ran it. */
  readonly endedAtMs?: number;
  /** The run whose log the console belongs to; absent where nothing was started. */
  readonly logRun?: string;
}
interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** How one cell's execution ended. A failing cell is an expected outcome. */
export type StepOutcome =
  | (Timed & {
      readonly kind: 'hit';
      /** New versions where an older result or another provenance was promoted; else empty. */
      readonly promoted: readonly ArtifactRow[];
      readonly displays: readonly Output[];
      /** Null: the result keeps no console, the cell's last one stands. */
      readonly console: Printed | null;
    })
  | (Timed &
      Printed & {
        readonly kind: 'ran';
        readonly published: readonly ArtifactRow[];
        readonly outputs: Readonly<Record<string, OutputPreview>>;
        readonly displays: readonly Output[];
        readonly method: ExecutionMethod;
        readonly mutationWarnings: readonly MutationWarning[];
      })
  | (Timed &
      Printed & {
        readonly kind: 'failed';
        readonly error: string;
        readonly traceback: string | null;
        readonly suggestInstall: string | null;
        readonly method: ExecutionMethod;
      })
  | (Timed & Printed & { readonly kind: 'cancelled' })
  | (Timed & {
      readonly kind: 'input_lost';
      readonly producerId: CellId;
      readonly uri: string;
      readonly message: string;
    });

/** `nb_<notebook>_cell_<cell>_var_<label>`: the artifact id of a variable, a display or the console (semantics 4.2). */
export function artifactIdOf(notebookId: string, cellId: string, label: string): string {
  return `${artifactPrefixOf(notebookId)}cell_${cellId}_var_${label}`;
}

export function artifactPrefixOf(notebookId: string): string {
  return `nb_${notebookId}_`;
}

/**
 * The cell and label an artifact id names, or null when it is of no cell of this notebook.
 * @param isCell needed because ids and names written by hand may hold `_var_` themselves
 */
export function parseArtifactId(
  notebookId: string,
  id: string,
  isCell: (cellId: string) => boolean,
): { readonly cellId: string; readonly label: string } | null {
  const prefix = `${artifactPrefixOf(notebookId)}cell_`;
  if (!id.startsWith(prefix)) return null;
  const rest = id.slice(prefix.length);
  for (let at = rest.lastIndexOf(BETWEEN); at > 0; at = rest.lastIndexOf(BETWEEN, at - 1)) {
    const cellId = rest.slice(0, at);
    if (isCell(cellId)) return { cellId, label: rest.slice(at + BETWEEN.length) };
  }
  return null;
}

const BETWEEN = '_var_';
