/** What the step of any language gets: the parts of the program that it may use, and the options of its run. */

import type { Language } from '../../src-shared/wire/cell.ts';
import type { ArtifactStore } from '../artifacts/artifact.ts';
import type { ConsoleText, Executor } from '../exec/executor.ts';
import type { KeptProcess } from '../exec/keptProcess.ts';
import type { RemoteExecutor, RemoteProgress } from '../exec/remote/call/remoteRequest.ts';
import type { StopSignal } from '../lib/processGroup.ts';
import type { StopPatience } from '../lib/stop.ts';
import type { DataAccess } from '../mount/dataAccess.ts';
import type { ConsoleLogs } from '../notebook/stored/consoleLogs.ts';
import type { CodeRunner } from './codeRunner.ts';
import type { PromptDelta } from './prompt/deltaFeed.ts';
import type { IterationProgress, StepLanguage, StepOf, StepOutcome, VariantProgress } from './step.ts';
import type { TeamCache } from './team/teamCache.ts';

/**
 * Runs one planned cell of a language: looks up its result under its own key, or else makes and publishes it. Never
 * throws for failures of a cell, a server or a disk: those are outcomes.
 */
export type LanguageStep<L extends StepLanguage> = (
  tools: StepTools,
  request: StepOf<L>,
  options: StepOptions,
) => Promise<StepOutcome>;

/** The languages this program runs besides Python, each by its own step; Markdown has nothing to run. */
export type LanguageSteps = {
  readonly [L in Exclude<StepLanguage, 'python'>]?: LanguageStep<L>;
};

/** The parts of the program that a step of any language may use. */
export interface StepTools {
  readonly store: ArtifactStore;
  readonly executor: Pick<Executor, 'run'>;
  /** Runs cells on workers; absent: no cell has a worker. */
  readonly remote?: RemoteExecutor;
  /** Inside the notebook's `.svc`, so that results are moved into the store, not copied. */
  readonly scratchDir: string;
  /** Tracks clean-up work for the closing of the session; the result is reported without waiting for it. */
  readonly inBackground: (work: Promise<unknown>) => void;
  readonly logs: ConsoleLogs;
  /** Copies external data to where the cell's process can open it. */
  readonly data: DataAccess;
  /** Absent: results are not shared with a team. */
  readonly team?: TeamCache;
  /** How cells of other languages run. */
  readonly languages: LanguageSteps;
}

/** The parts of the program for the step of a code cell, whose language has chosen its interpreter. */
export interface CodeTools extends Omit<StepTools, 'executor' | 'languages'> {
  readonly runner: CodeRunner;
}

/** How one step runs: its run id, its stop, and the callbacks for its progress. */
export interface StepOptions {
  readonly signal: AbortSignal;
  /** Whether a stop may wait for the cell to end by itself; absent: it does not. */
  readonly patience?: StopPatience;
  readonly onConsole: (text: ConsoleText) => void;
  readonly onStopSignal?: (signal: StopSignal) => void;
  /** An iteration of a loop was stored, or reused. */
  readonly onIteration?: (progress: IterationProgress) => void;
  /** Whether the files in the key are unchanged; called when the cell has ended. */
  readonly isCurrent?: () => Promise<boolean>;
  /** A variant's run of a fan-out has ended. */
  readonly onVariant?: (progress: VariantProgress) => void;
  /** A chunk of a model's reply, or a note about it. */
  readonly onDelta?: (delta: PromptDelta) => void;
  /** The progress of a run on a remote worker. */
  readonly onProgress?: (progress: RemoteProgress) => void;
  /** The process of a cell that shows widgets stays; absent: every process ends with its run. */
  readonly onKept?: (process: KeptProcess) => void;
  /** Identifies the run in its stored rows and its log. */
  readonly runId: string;
}

/** The table of a program that runs only Python cells. */
export const NO_LANGUAGES: LanguageSteps = {};

/** The languages a program with these steps can run. */
export function supportedLanguages(steps: LanguageSteps): ReadonlySet<Language> {
  return new Set<Language>(['python', ...(Object.keys(steps) as (keyof LanguageSteps)[])]);
}
