/** The stores, services and limits that a session gets from `openSession`. */

import type { ArtifactStore } from '../artifacts/artifact.ts';
import type { RemoteWorkers } from '../exec/remote/remoteWorkers.ts';
import type { ModuleFacts } from '../language/modules/closure.ts';
import type { ModuleReader } from '../language/modules/readModules.ts';
import type { NotebookLanguage } from '../lsp/notebookLanguage.ts';
import type { DataAccess } from '../mount/dataAccess.ts';
import type { CellHistory } from '../notebook/history/cellHistory.ts';
import type { UndoRecord } from '../notebook/history/undoStack.ts';
import type { NotebookFiles } from '../notebook/notebookFiles.ts';
import type { ConsoleLogs } from '../notebook/stored/consoleLogs.ts';
import type { NotebookDrafts } from '../notebook/stored/storedDrafts.ts';
import type { Logger } from '../observe/log.ts';
import type { SqlStepOptions } from '../run/sql/sqlStepOptions.ts';
import type { StepTools } from '../run/stepTools.ts';
import type { AheadRuns } from './effects/aheadRuns.ts';
import type { Consoles } from './effects/consoles.ts';
import type { EnvironmentDriver } from './effects/environmentDriver.ts';
import type { FileEffects } from './effects/fileEffects.ts';
import type { ResultStorage } from './effects/resultStorage.ts';
import type { SecretEffects } from './effects/secretEffects.ts';
import type { StepWorkDependencies } from './effects/stepWork.ts';
import type { PrepareAnalysis, ReducerTools } from './state/events.ts';
import type { SessionState } from './state/state.ts';
import type { Hiding } from './view/hiding.ts';
import type { DataWatch } from './watch/dataWatch.ts';

/** Everything a session uses besides its folder. */
export interface SessionDependencies {
  readonly state: SessionState;
  readonly tools: ReducerTools;
  readonly learn: PrepareAnalysis;
  readonly rVersion: () => string | null;
  readonly files: NotebookFiles;
  readonly fileEffects: FileEffects;
  readonly history: CellHistory;
  readonly undoRecord: UndoRecord;
  readonly drafts: NotebookDrafts;
  readonly secrets: SecretEffects;
  readonly hiding: Hiding;
  readonly modules: ModuleReader;
  /** Watches the folders of the modules that cells import now. */
  readonly watchModules: (modules: ModuleFacts) => void;
  readonly store: ArtifactStore;
  readonly stepTools: Omit<StepTools, 'inBackground'>;
  /** `.svc/runtime.json`: saved shortly after a request, flushed at the end. */
  readonly runtime: { readonly save: () => void; readonly flush: () => Promise<void> };
  readonly logs: ConsoleLogs;
  readonly runningConsoles: StepWorkDependencies['runningConsoles'];
  readonly data: DataAccess;
  readonly dataWatch: DataWatch;
  readonly consoles: Consoles;
  /** How to open connections outside of runs; null if there are none. */
  readonly sql: SqlStepOptions | null;
  readonly ahead: AheadRuns;
  /** Answers the editor's questions; it starts a server at the first of them. */
  readonly language: NotebookLanguage;
  readonly remote: RemoteWorkers;
  readonly log: Logger;
  /** Called once when the session is over: releases the writer lock and the opener's other resources. */
  readonly release: () => Promise<void>;
  readonly environment: EnvironmentDriver;
  readonly storage: ResultStorage;
  readonly stopWatching: () => void;
  readonly warmUp: (state: SessionState) => void;
}
