/** Types of a build (one cell that a worker fetches and delivers by signed URLs): its inputs, its state and its end. */

import type { BuildErrorCode, BuildState } from '../../src-shared/wire/worker/build.ts';
import type { PullRequestInput } from '../../src-shared/wire/worker/pull.ts';

/** One value of the notebook that a worker may fetch, with its file. */
export interface BuildInput {
  readonly artifactId: string;
  readonly version: number;
  /** Must not change during the build. */
  readonly path: string;
}

/** A cell to be run by a worker that fetches it and delivers its output (docs/spec/worker-protocol.md, 5.1, 5.2). */
export interface NewBuild {
  readonly notebookId: string;
  /** The caller's part of the manifest's metadata. */
  readonly metadata: Omit<PullRequestInput['metadata'], 'build_id' | 'artifact_id' | 'version'>;
  readonly inputs: readonly BuildInput[];
  /** The URL at which the worker reaches this server; null: the server's own. */
  readonly serverUrl: string | null;
  /** The maximum duration of the cell in total, so that no URL expires before. */
  readonly lifetimeSeconds: number;
  /** For uploads if builds have no folder of their own; created on demand, removed by the caller. */
  readonly dir: string;
  /** Takes the output once, on finalization. @throws OutputProblem if it is invalid */
  accept(file: string): Promise<void>;
  onConsole(stream: 'stdout' | 'stderr', chunk: Buffer): void;
}

/** How a build ended. */
export type BuildEnd =
  | { readonly state: 'ready' }
  | { readonly state: 'failed'; readonly code: BuildErrorCode; readonly message: string };

interface Served {
  readonly buildId: string;
  /** Resolves when it is finalized, fails or is abandoned. */
  readonly ended: Promise<BuildEnd>;
  end(): BuildEnd | null;
  /** Ends the build, if it has not ended: its URLs are invalid then. */
  giveUp(code: BuildErrorCode, message: string): void;
  /** Call when the output is no longer needed. */
  release(): Promise<void>;
}

/** A running build, for its creator. */
export interface Build extends Served {
  /** What the worker receives. */
  readonly manifest: PullRequestInput;
  state(): BuildState;
}

/** A build that an earlier process began, and whose output was not read yet. */
export interface OrphanedBuild extends Served {
  /** The file with the output, once it is ready. */
  readonly file: string;
}
