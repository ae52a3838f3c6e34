import type { BuildErrorCode, BuildState } from '../../src-shared/wire/worker/build.ts';
import type { PullRequestInput } from '../../src-shared/wire/worker/pull.ts';

/** One value of the notebook a worker may fetch, and the file it is in. */
export interface BuildInput {
  readonly artifactId: string;
  readonly version: number;
  /** Stays as it is while the build is under way. */
  readonly path: string;
}

/** A cell that is to be run by a worker that fetches and delivers (worker-protocol 5.1, 5.2). */
export interface NewBuild {
  readonly notebookId: string;
  /** What of the manifest's metadata is the caller's. */
  readonly metadata: Omit<PullRequestInput['metadata'], 'build_id' | 'artifact_id' | 'version'>;
  readonly inputs: readonly BuildInput[];
  /** Where the worker reaches this server; null: at the server's own address. */
  readonly address: string | null;
  /** How long the cell may take in all, so that no URL ends before it. */
  readonly lifetimeSeconds: number;
  /** For what is uploaded where builds have no folder of their own; made when needed, the caller's to remove. */
  readonly dir: string;
  /** Takes the output, once, when it is finalized. @throws OutputProblem where it is not what it should be */
  accept(file: string): Promise<void>;
  onConsole(stream: 'stdout' | 'stderr', chunk: Buffer): void;
}

/** How a build ended. */
export type BuildEnd =
  | { readonly state: 'ready' }
  | { readonly state: 'failed'; readonly code: BuildErrorCode; readonly message: string };

interface Served {
  readonly buildId: string;
  /** Resolves when it is finalized, fails or is given up. */
  readonly ended: Promise<BuildEnd>;
  end(): BuildEnd | null;
  /** Ends it, where it has not ended: its URLs are worth nothing then. */
  giveUp(code: BuildErrorCode, message: string): void;
  /** Its output is not needed any more. */
  release(): Promise<void>;
}

/** A build under way, for who began it. */
export interface Build extends Served {
  /** What the worker is sent. */
  readonly manifest: PullRequestInput;
  state(): BuildState;
}

/** A build that a process before this one began, and whose output nobody has had. */
export interface LeftBuild extends Served {
  /** Its output, once it is ready. */
  readonly file: string;
}
