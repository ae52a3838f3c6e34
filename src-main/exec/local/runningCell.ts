/** The interface of one run in its own process on this machine, and how it ends. */

import type { StopSignal } from '../../lib/processGroup.ts';
import type { ConsoleText } from '../executor.ts';

/** How the main process of a run ended. */
export type RunEnd =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  /** The process that owned the run ended, or could not be started. */
  | { readonly kind: 'lost'; readonly message: string }
  /** No cell code ran, so the run may be started in another process. */
  | { readonly kind: 'not_started'; readonly message: string };

/** Receives what a run prints, in order within each stream. */
export type OnOutput = (stream: ConsoleText['stream'], bytes: Buffer) => void;

/** One run in its own process. When `ended` resolves, every process of the run has ended. */
export interface RunningCell {
  readonly method: 'warm' | 'cold';
  /** Whether cell code may be running; before that nothing can be interrupted gently. */
  readonly started: boolean;
  readonly ended: Promise<RunEnd>;
  /** The process, which leads the process group of the run; null before it is known. Stays after its end. */
  readonly pid: number | null;
  /** Signals the run's process group; does nothing once the run has ended. */
  signal(signal: StopSignal): void;
  /** Pauses or resumes reading what the run prints. */
  pause(paused: boolean): void;
}
