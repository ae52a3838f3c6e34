import type { CellId } from '../../../src-shared/notebook/ids.ts';

/** A console that is open inside a cell (tests-and-consoles). */
export interface InspectionState {
  /** Names the process: a cell has one at a time, and another after each reopening. */
  readonly inspectId: string;
  /** Frames asked of it and not answered, oldest first: its opening, then evaluations. */
  readonly waiting: readonly InspectWaiting[];
}

/** A frame of a socket that has no answer yet; `expr` is null where it is the opening. */
export interface InspectWaiting {
  readonly socketId: string;
  readonly expr: string | null;
}

/** The consoles that are open, by cell. */
export type Inspections = ReadonlyMap<CellId, InspectionState>;

/** Each is an interpreter with values in memory. */
export const MOST_INSPECTIONS = 8;
/** What one socket may ask ahead of the answers, of one console. */
export const MOST_PENDING = 16;
export const MOST_EXPRESSION_CHARACTERS = 100_000;
/** A console nobody evaluates in is closed. */
export const INSPECT_IDLE_MINUTES = 30;

/** Why a console was closed by something else than its asker's word. */
export type InspectClosedReason =
  | 'closed'
  | 'reopened'
  | 'ended'
  | 'idle'
  | 'cell_gone'
  | 'environment'
  | 'nobody_here'
  | 'held';

/** Said where a console was. */
export const CLOSED_WORDS: Readonly<Record<Exclude<InspectClosedReason, 'ended'>, string>> = {
  closed: 'The console was closed.',
  reopened: 'The console was restarted.',
  idle: `The console was closed after ${INSPECT_IDLE_MINUTES} minutes without activity.`,
  cell_gone: 'The console was closed because its cell no longer exists.',
  environment:
    'The console was closed because the environment changed. Restart it to use the new environment.',
  nobody_here: 'The console was closed because no window was open for a minute.',
  held: 'The console was closed because the notebook is on hold.',
};
