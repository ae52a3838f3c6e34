/** Builds the first state of a session from the notebook's files, its store and the record of the last session. */

import { NO_GRAPH } from '../../../src-shared/notebook/graph.ts';
import { notebookId, type SessionId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import type { Config } from '../../config/variables.ts';
import type { ModuleReader } from '../../language/modules/readModules.ts';
import type { DataAccess } from '../../mount/dataAccess.ts';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { NotebookFiles } from '../../notebook/notebookFiles.ts';
import { loadNotebookSettings } from '../../notebook/stored/notebookSettings.ts';
import type { CutRun } from '../../notebook/stored/runningConsoles.ts';
import {
  consoleFileOf,
  consoleNames,
  loadConsole,
  type RuntimeState,
} from '../../notebook/stored/runtimeState.ts';
import { NO_SERVER_WORKERS, type ServerWorkers } from '../../notebook/workers.ts';
import { type LanguageSteps, NO_LANGUAGES, supportedLanguages } from '../../run/stepTools.ts';
import type { EnvironmentDriver } from '../effects/environmentDriver.ts';
import { serverAiOf } from '../keys/ai.ts';
import { withFacts } from '../keys/data.ts';
import { moduleNamesOf, starModulesOf } from '../keys/modules.ts';
import { newCell, textsOf } from '../keys/newCell.ts';
import { checkObservedPaths } from '../keys/observed.ts';
import { relink } from '../keys/relink.ts';
import { reopenedCells } from '../keys/reopened.ts';
import { walkStatuses } from '../keys/statuses.ts';
import { NO_CONSOLE, storedByCell, storedCell } from '../keys/storedCell.ts';
import type { DamagedRecord } from '../state/damaged.ts';
import type { PrepareAnalysis, ReducerTools } from '../state/events.ts';
import type { Hold } from '../state/holds.ts';
import type { SecretFetch, SessionOptions, SessionState } from '../state/state.ts';
import { withStoredNames } from '../state/unreadable.ts';
import { withShownResults } from '../view/shownResults.ts';
import { withAdoptedRuns } from './adoptedRuns.ts';
import { checkLocalData } from './checkLocalData.ts';
import { withCutRun } from './cutRuns.ts';

/** What opening a folder has read and created before its state can be built. */
interface OpeningFacts {
  readonly dir: NotebookFolder;
  readonly files: NotebookFiles;
  readonly runtime: RuntimeState;
  /** Files of the notebook that were damaged. */
  readonly damaged: readonly DamagedRecord[];
  readonly store: ArtifactStore;
  readonly cutRuns: readonly CutRun[];
  readonly tools: ReducerTools;
  readonly environment: EnvironmentDriver;
  readonly services: {
    readonly config: Config;
    readonly rVersion?: () => string | null;
    readonly languages?: LanguageSteps;
    readonly serverWorkers?: () => ServerWorkers;
    readonly session?: Partial<SessionOptions>;
  };
  readonly data: DataAccess;
  readonly modules: ModuleReader;
  readonly trusted: boolean;
  readonly readOnly: string | null;
  readonly hold: Hold | null;
  readonly id: SessionId;
  readonly secretFetch: SecretFetch;
  readonly learn: PrepareAnalysis;
}

/** Default cell timeout, seconds (docs/spec/annotations.md, 1.2, 2). */
const DEFAULT_TIMEOUT_SECONDS = 300;
/** Default timeout for all tests of a cell, seconds (docs/spec/tests-and-consoles.md, 1). */
const TEST_TIMEOUT_SECONDS = 120;

/** The initial state of a session: the cells with their results from the store and the last session. */
export async function initialState(opening: OpeningFacts): Promise<SessionState> {
  const { dir, files, store, environment, services } = opening;
  const file = files.file();
  const id = notebookId(file.notebookId);
  const artifacts = storedByCell(store, {
    notebook: id,
    cellIds: new Set(file.cells.map((entry) => entry.id)),
  });
  await opening.learn(textsOf(file.cells, files.sources()));
  const consoles = consoleNames(dir);
  const cuts = new Map(opening.cutRuns.map((cut) => [cut.id, cut]));
  const cells = await Promise.all(
    file.cells.map(async (entry) => {
      const stored = await storedCell(store, {
        cell: newCell(entry, { text: files.sources().get(entry.id), analyze: opening.tools.analyze }),
        artifacts: artifacts.get(entry.id) ?? {},
        runtime: opening.runtime.cells[entry.id],
        console: consoles.has(consoleFileOf(entry.id)) ? await loadConsole(dir, entry.id) : NO_CONSOLE,
      });
      return withCutRun(withStoredNames(stored, opening.tools.analyze), cuts.get(entry.id));
    }),
  );
  const damaged = [...opening.damaged];
  const settings = await loadNotebookSettings(dir, {
    repairs: opening.trusted,
    onDamaged: () => damaged.push('settings'),
  });
  const state: SessionState = {
    sessionId: opening.id,
    notebookId: id,
    path: notebookFolder(dir),
    file,
    cells: new Map(cells.map((cell) => [cell.id, cell])),
    graph: NO_GRAPH,
    graphError: null,
    expected: new Map(),
    made: new Map(),
    modules: await opening.modules.read(moduleNamesOf(cells), starModulesOf(cells)),
    environment: environment.initial,
    rVersion: file.cells.some(({ language }) => LANGUAGES[language].packages === 'r')
      ? (services.rVersion?.() ?? null)
      : null,
    data: new Map(),
    seenFiles: new Map(),
    secretFetch: opening.secretFetch,
    running: null,
    testing: new Map(),
    plan: null,
    agedPlans: [],
    queue: [],
    sockets: new Map(),
    visitors: new Map(),
    locks: new Map(),
    inspections: new Map(),
    closing: false,
    hold: opening.hold === null ? null : { phase: opening.hold.phase, environmentDue: true },
    outside: new Map(),
    unsaved: new Set(),
    damaged,
    folderProblem: null,
    folderGone: false,
    trusted: opening.trusted,
    readOnly: opening.readOnly,
    parallelCells: settings.parallel_cells,
    autoRun: settings.auto_run,
    options: {
      languages: supportedLanguages(services.languages ?? NO_LANGUAGES),
      ai: serverAiOf(services.config),
      leaves: 'cheap',
      cellLockSeconds: services.config.notebookCellLockSeconds,
      defaultTimeoutSeconds: DEFAULT_TIMEOUT_SECONDS,
      liveWidgets: services.config.deploymentMode !== 'service',
      parallelCells: services.config.notebookParallelCells,
      testTimeoutSeconds: TEST_TIMEOUT_SECONDS,
      serverWorkers: services.serverWorkers?.() ?? NO_SERVER_WORKERS,
      ...services.session,
    },
  };
  const restored = { ...state, cells: reopenedCells(state, Date.now()) };
  const checked = withFacts(restored, opening.trusted ? await checkLocalData(state, opening.data) : []);
  const withSeenFiles = {
    ...checked,
    seenFiles: opening.trusted ? checkObservedPaths(checked) : checked.seenFiles,
  };
  const withStatuses = await withAdoptedRuns(walkStatuses(relink(withSeenFiles)), store);
  return withShownResults(withStatuses, store, { runtime: opening.runtime, cuts });
}
