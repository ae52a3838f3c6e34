/** The state of the consoles that are open inside cells, with their limits and messages. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';

/** A console that is open inside a cell (docs/spec/tests-and-consoles.md, 2). */
export interface InspectionState {
  /** Identifies the process: a cell has one at a time, and a new one after each reopening. */
  readonly inspectId: string;
  /** Frames without a reply, oldest first: the opening, then evaluations. */
  readonly waiting: readonly InspectWaiting[];
}

/** A frame of a socket that has no reply yet; `expr` is null for the opening. */
interface InspectWaiting {
  readonly socketId: string;
  readonly expr: string | null;
}

/** The consoles that are open, by cell. */
export type Inspections = ReadonlyMap<CellId, InspectionState>;

/** The answer to an expression for a cell without a console. */
export const NOTHING_OPEN = 'No console is open in this cell. Open it first.';
/** The maximum number of open consoles of a notebook: each is an interpreter with values in memory. */
export const MAX_INSPECTIONS = 8;
/** The maximum number of unanswered requests of one socket to one console. */
export const MAX_PENDING = 16;
export const MAX_EXPRESSION_CHARACTERS = 100_000;
/** A console without evaluations is closed after this time. */
export const INSPECT_IDLE_MINUTES = 30;

/** Why a console was closed other than by its user. */
export type InspectClosedReason =
  | 'closed'
  | 'reopened'
  | 'ended'
  | 'idle'
  | 'cell_gone'
  | 'environment'
  | 'nobody_here'
  | 'held';

/** The messages shown in place of a closed console. */
export const CLOSED_MESSAGES: Readonly<Record<Exclude<InspectClosedReason, 'ended'>, string>> = {
  closed: 'The console was closed.',
  reopened: 'The console was restarted.',
  idle: `The console was closed after ${INSPECT_IDLE_MINUTES} minutes without activity.`,
  cell_gone: 'The console was closed because its cell no longer exists.',
  environment:
    'The console was closed because the environment changed. Restart it to use the new environment.',
  nobody_here: 'The console was closed because no window was open for a minute.',
  held: 'The console was closed because the notebook is on hold.',
};
