/** The table of all files and folders that Cellar stores in a notebook's `.svc` folder. */

import { OWN_FOLDER, type Place, pathOf, placeIn } from '../../lib/guardedFolder/place.ts';
import type { NotebookFolder } from './notebookFolder.ts';

/**
 * One row of the table, which is the only one of these paths. The page docs/how-to/svc-folder.md is generated from it
 * (`node scripts/architecture.mjs`).
 */
interface OwnPlace {
  /** The path below `.svc`. `<id>` is a part of the name, the first part given to {@link ownPlace}. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly holds: string;
  /** The source file that writes it, below `src-main`. */
  readonly writer: string;
  /** What is lost with it. */
  readonly without: string;
  /**
   * Whether a user may delete it while the notebook is closed. `yes`: it is made again or was only a
   * convenience; `loses work`: texts of the user are lost; `no`: a restriction is lost.
   */
  readonly deletable: 'yes' | 'loses work' | 'no';
}

const PLACES = {
  runtime: {
    path: 'runtime.json',
    kind: 'file',
    holds:
      'per cell: hashes of the last run, displays, error, test result, widget values, observed files, the last 50 durations; the environment’s state',
    writer: 'notebook/stored/runtimeState.ts',
    without: 'cells are idle until they run or the store answers',
    deletable: 'yes',
  },
  writerLock: {
    path: 'writer.lock',
    kind: 'file',
    holds: 'which process writes this notebook',
    writer: 'notebook/writerLock.ts',
    without: 'nothing; exists while the notebook is open',
    deletable: 'yes',
  },
  settings: {
    path: 'settings.json',
    kind: 'file',
    holds: 'settings of this machine (`parallel_cells`, `auto_run`)',
    writer: 'notebook/stored/notebookSettings.ts',
    without: 'defaults',
    deletable: 'yes',
  },
  undo: {
    path: 'undo.json',
    kind: 'file',
    holds: 'what can be undone, newest 200 entries',
    writer: 'notebook/history/undoStack.ts',
    without: 'no undo of earlier sessions',
    deletable: 'loses work',
  },
  sourceDrafts: {
    path: 'source_drafts.json',
    kind: 'file',
    holds: 'texts of cells that could not be saved yet',
    writer: 'notebook/stored/storedDrafts.ts',
    without: 'those texts are lost',
    deletable: 'loses work',
  },
  testDrafts: {
    path: 'test_drafts.json',
    kind: 'file',
    holds: 'tests that could not be saved yet',
    writer: 'notebook/stored/storedDrafts.ts',
    without: 'those texts are lost',
    deletable: 'loses work',
  },
  agentHistory: {
    path: 'agent_history.json',
    kind: 'file',
    holds: 'the last 12 turns of the assistant’s conversation',
    writer: 'agent/memory.ts',
    without: 'the assistant starts a new conversation',
    deletable: 'yes',
  },
  importRecord: {
    path: 'import.json',
    kind: 'file',
    holds: 'that this notebook was imported, and what was allowed for it',
    writer: 'notebook/stored/importRecord.ts',
    without: 'the notebook counts as the person’s own',
    deletable: 'no',
  },
  importedOutputs: {
    path: 'imported_outputs.json',
    kind: 'file',
    holds: 'outputs of an imported Jupyter file, shown until a cell runs',
    writer: 'notebook/stored/importedOutputs.ts',
    without: 'cells show nothing until they run',
    deletable: 'yes',
  },
  snapshotRuns: {
    path: 'snapshot.json',
    kind: 'file',
    holds: 'the last run of each cell according to a snapshot of another program',
    writer: 'notebook/snapshotRuns.ts',
    without: 'the results of that snapshot are not used',
    deletable: 'yes',
  },
  environment: {
    path: 'environment.json',
    kind: 'file',
    holds: 'that an environment was built before',
    writer: 'environment/venv/hadEnvironment.ts',
    without: 'a missing environment is built as for a new notebook',
    deletable: 'yes',
  },
  environmentJobs: {
    path: 'environment_jobs.json',
    kind: 'file',
    holds: 'the last 8 environment jobs',
    writer: 'environment/jobHistory.ts',
    without: 'no earlier jobs are listed',
    deletable: 'yes',
  },
  syncNote: {
    path: 'sync-in-progress.json',
    kind: 'file',
    holds: 'a change of the Python environment under way; the next start completes or reverts it',
    writer: 'environment/syncMarker.ts',
    without: 'exists during a change only; an interrupted change is not reverted',
    deletable: 'loses work',
  },
  rNote: {
    path: 'r-in-progress.json',
    kind: 'file',
    holds: 'the same for a change of the R environment',
    writer: 'environment/r/rStage.ts',
    without: 'exists during a change only; an interrupted change is not reverted',
    deletable: 'loses work',
  },
  remoteRun: {
    path: 'remote-run-<id>.json',
    kind: 'file',
    holds: 'a run of a cell under way on a worker',
    writer: 'exec/remote/recordedRun.ts',
    without: 'after a restart the cell runs again',
    deletable: 'yes',
  },
  serverLog: {
    path: 'server.log',
    kind: 'file',
    holds: 'the log of the server that `svc agent` started',
    writer: 'cli/agent/ownServer.ts',
    without: 'nothing',
    deletable: 'yes',
  },
  artifacts: {
    path: 'artifacts',
    kind: 'folder',
    holds:
      'the store of results: `artifacts.sqlite` (rows), `blobs/<sha256>` (bytes), `tmp/` (being written), `quarantine/` (bytes that were wrong)',
    writer: 'artifacts/storeParts.ts',
    without: 'cells run again',
    deletable: 'yes',
  },
  console: {
    path: 'console',
    kind: 'folder',
    holds: '`<cell>.json`: the last console of each cell, up to 10,000 characters a stream',
    writer: 'notebook/stored/runtimeState.ts',
    without: 'no console until a cell runs',
    deletable: 'yes',
  },
  logs: {
    path: 'logs',
    kind: 'folder',
    holds: '`<cell>-<run>.<stream>.log`: whole consoles that are longer, 5 runs a cell, 2 GiB a notebook',
    writer: 'notebook/stored/consoleLogs.ts',
    without: 'only the end of long consoles is shown',
    deletable: 'yes',
  },
  running: {
    path: 'running',
    kind: 'folder',
    holds: 'what runs under way have printed, for the case that the server is killed',
    writer: 'notebook/stored/runningConsoles.ts',
    without: 'nothing is shown of the runs that a killed server cut off',
    deletable: 'yes',
  },
  history: {
    path: 'history',
    kind: 'folder',
    holds: 'earlier texts, tests and settings of cells, 30 days',
    writer: 'notebook/history/cellHistory.ts',
    without: 'no earlier versions of cells',
    deletable: 'loses work',
  },
  deleted: {
    path: 'deleted',
    kind: 'folder',
    holds: 'what is needed to restore a deleted cell',
    writer: 'notebook/deletedCellFile.ts',
    without: 'deleted cells cannot be restored',
    deletable: 'loses work',
  },
  environmentFiles: {
    path: 'environment_files',
    kind: 'folder',
    holds: 'project file and lock before and after each job, for its undo',
    writer: 'environment/folder/earlierFiles.ts',
    without: 'earlier environment jobs cannot be reverted',
    deletable: 'yes',
  },
  mountCache: {
    path: 'mount_cache',
    kind: 'folder',
    holds: 'copies of remote mounts',
    writer: 'mount/remote/remoteMounts.ts',
    without: 'they are downloaded again',
    deletable: 'yes',
  },
  fetch: {
    path: 'fetch',
    kind: 'folder',
    holds: 'fetched files by digest, and `index.json`',
    writer: 'mount/fetch/fetcher.ts',
    without: 'they are downloaded again',
    deletable: 'yes',
  },
  outputs: {
    path: 'outputs',
    kind: 'folder',
    holds: '`<cell>-<i>.<ext>`: outputs that an agent asked for as a file',
    writer: 'mcp/tools/saveOutput.ts',
    without: 'the agent asks again',
    deletable: 'yes',
  },
  tmp: {
    path: 'tmp',
    kind: 'folder',
    holds: 'inputs and outputs of running cells; emptied when the notebook opens',
    writer: 'session/open/openSession.ts',
    without: 'nothing',
    deletable: 'yes',
  },
  stagedVenv: {
    path: 'venv-<id>',
    kind: 'folder',
    holds: 'a Python environment being built; removed at the next start',
    writer: 'environment/venv/venvPlaces.ts',
    without: 'nothing',
    deletable: 'yes',
  },
  retiredVenv: {
    path: 'venv-<id>-old',
    kind: 'folder',
    holds: 'the environment that was replaced, until the new one works',
    writer: 'environment/venv/venvPlaces.ts',
    without: 'an interrupted change cannot return to it: the environment is built again',
    deletable: 'yes',
  },
  goneVenv: {
    path: 'venv-<id>-gone',
    kind: 'folder',
    holds: 'an environment that is being deleted',
    writer: 'environment/venv/venvPlaces.ts',
    without: 'nothing',
    deletable: 'yes',
  },
  stagedR: {
    path: 'r-<id>',
    kind: 'folder',
    holds: 'an R library being filled; removed at the next start',
    writer: 'environment/r/rStage.ts',
    without: 'nothing',
    deletable: 'yes',
  },
  retiredR: {
    path: 'r-<id>-old',
    kind: 'folder',
    holds: 'the R library that was replaced, until the new one is in place',
    writer: 'environment/r/rStage.ts',
    without: 'an interrupted change cannot return to it: the library is filled again',
    deletable: 'yes',
  },
  stagedRLock: {
    path: 'r-<id>.lock',
    kind: 'file',
    holds: 'the lock of that library, before it becomes renv.lock',
    writer: 'environment/r/rStage.ts',
    without: 'nothing',
    deletable: 'yes',
  },
} as const satisfies Readonly<Record<string, OwnPlace>>;

export type OwnName = keyof typeof PLACES;

export const OWN_PLACES: Readonly<Record<OwnName, OwnPlace>> = PLACES;

const ID = '<id>';

/** The folder `.svc` itself. @param dir the notebook's folder */
export function ownFolder(dir: NotebookFolder): Place {
  return placeIn(dir, OWN_FOLDER);
}

/**
 * One of these places, or a place below it.
 * @param dir the notebook's folder
 * @param parts for a name with `<id>`, first the id; then the path below it
 * @throws RangeError as `placeIn`
 */
export function ownPlace(dir: NotebookFolder, name: OwnName, ...parts: readonly string[]): Place {
  return placeIn(dir, ownName(name, ...parts));
}

/** The path of such a place. */
export function ownPath(dir: NotebookFolder, name: OwnName, ...parts: readonly string[]): string {
  return pathOf(ownPlace(dir, name, ...parts));
}

/** The path of such a place relative to the notebook's folder, with `/`, for messages and archives. */
export function ownName(name: OwnName, ...parts: readonly string[]): string {
  const { path } = OWN_PLACES[name];
  if (!path.includes(ID)) return [OWN_FOLDER, path, ...parts].join('/');
  const [id, ...rest] = parts;
  if (id === undefined) throw new RangeError(`${path} needs an id.`);
  return [OWN_FOLDER, path.replace(ID, () => id), ...rest].join('/');
}

/** Whether a file or folder in `.svc` has the name of such a place, with eight hexadecimal digits as its id. */
export function isNamed(name: OwnName, file: string): boolean {
  const [before = '', after] = OWN_PLACES[name].path.split(ID);
  if (after === undefined) return file === before;
  return (
    file.startsWith(before) &&
    file.endsWith(after) &&
    /^[0-9a-f]{8}$/.test(file.slice(before.length, file.length - after.length))
  );
}
