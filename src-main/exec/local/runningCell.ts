import type { StopSignal } from '../../lib/processGroup.ts';
import type { ConsoleText } from '../executor.ts';

/** How the main process of a run ended. */
export type RunEnd =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  /** The process that owned the run is gone, or never was. */
  | { readonly kind: 'lost'; readonly message: string }
  /** No cell code ran: it may be run elsewhere. */
  | { readonly kind: 'not_started'; readonly message: string };

/** Receives what a run prints, in the order it was printed on each stream. */
export type OnOutput = (stream: ConsoleText['stream'], bytes: Buffer) => void;

/** One run in a process of its own. When `ended` resolves, every process of the run is gone. */
export interface RunningCell {
  readonly method: 'warm' | 'cold';
  /** Whether cell code may be running: before, there is nothing to interrupt gently. */
  readonly started: boolean;
  readonly ended: Promise<RunEnd>;
  /** Signals the run's process group; does nothing once it ended. */
  signal(signal: StopSignal): void;
  /** Stops or goes on reading what the run prints. */
  pause(paused: boolean): void;
}
