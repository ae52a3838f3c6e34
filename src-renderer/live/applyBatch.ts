/**
 * Applies a batch of live frames (messages from the server) to the window's state: view, drafts, tests and requests.
 * Pure.
 */

import type { ReceivedFrame, ServerPayload } from '../../src-shared/wire/frames/server.ts';
import { ANOTHER_PROGRAM } from '../../src-shared/wire/presence.ts';
import { applyFrame, applyOwnSource, asOneChange } from '../state/applyFrame.ts';
import type { Drafts } from '../state/drafts.ts';
import * as drafts from '../state/drafts.ts';
import type { NotebookModel } from '../state/notebookModel.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import { type Orphan, orphansOf } from '../state/orphans.ts';
import { withoutAnswered } from './requestedRuns.ts';

/** The parts of a window that frames change. */
export interface LivePart {
  readonly model: NotebookModel;
  readonly asked: NotebookView['asked'];
  readonly drafts: Drafts;
  /** Cells whose draft is held back until their run ends. */
  readonly heldBack: ReadonlySet<string>;
  /** True once a notebook_state arrived on the current socket. */
  readonly synced: boolean;
  /** Texts whose cells were deleted. */
  readonly orphans: readonly Orphan[];
}

/** Applies frames, received at this epoch ms, in order to all state that depends on them. Pure. */
export function applyBatch(part: LivePart, frames: readonly ReceivedFrame[], heardAt: number): LivePart {
  return asOneChange(() => frames.reduce((next, frame) => applyOne(next, frame, heardAt), part));
}

function applyOne(part: LivePart, frame: ReceivedFrame, heardAt: number): LivePart {
  const next = {
    ...part,
    model: applyFrame(part.model, frame, heardAt),
    asked: withoutAnswered(part.asked, frame),
  };
  switch (frame.type) {
    case 'error':
      return afterRefusal(next, frame.payload);
    case 'dag_update':
      return frame.payload.edited === undefined ? next : afterAccepted(next, frame.payload.edited);
    case 'notebook_state': {
      const sources = new Map(frame.payload.cells.map((cell) => [cell.id, cell.source]));
      return {
        ...next,
        drafts: drafts.afterFullState(part.drafts, { sources, isAnswered: part.synced }),
        orphans: [...part.orphans, ...orphansOf(part, sources)],
        synced: true,
      };
    }
    default:
      return next;
  }
}

/** The server accepted the oldest pending edit: the cell has it, whatever edits of others arrived in between. */
function afterAccepted(part: LivePart, cellId: string): LivePart {
  const late = drafts.nextPendingReply(part.drafts, cellId);
  if (late !== undefined) {
    const model = applyOwnSource(part.model, cellId, late);
    return { ...part, model, drafts: drafts.withoutPendingReply(part.drafts, cellId) };
  }
  const [acceptedText] = part.drafts[cellId]?.sent ?? [];
  // The person has discarded the edit since (took the others' text): the cell's text must come from a new state.
  const model =
    acceptedText === undefined
      ? { ...part.model, needsSync: true }
      : applyOwnSource(part.model, cellId, acceptedText);
  return { ...part, model, drafts: drafts.withAccepted(part.drafts, cellId) };
}

/** Refusals that this window handles itself are not shown: a busy cell means retry later, a lock means a choice. */
function afterRefusal(part: LivePart, refusal: ServerPayload<'error'>): LivePart {
  const { code, cell_id: cellId } = refusal;
  const quiet = { ...part, model: { ...part.model, refusal: null } };
  if (code === 'cell_locked' && cellId !== undefined) {
    // The server does not have what this window sent: a new state shows what it has and settles the draft.
    const model = { ...quiet.model, needsSync: true };
    if (drafts.nextPendingReply(part.drafts, cellId) !== undefined) {
      return { ...quiet, model, drafts: drafts.withoutPendingReply(part.drafts, cellId) };
    }
    if (part.drafts[cellId]?.merged !== undefined && refusal.held_by === ANOTHER_PROGRAM) {
      return { ...quiet, model, drafts: drafts.withOverwrite(part.drafts, cellId) };
    }
    // The edit was already reverted by an earlier refusal.
    if (part.drafts[cellId]?.sent.length === 0) return { ...quiet, model };
    return { ...quiet, model, drafts: drafts.withRefused(part.drafts, cellId, refusal.error) };
  }
  if (code === 'source_changed_on_disk' && cellId !== undefined) {
    return { ...quiet, drafts: drafts.withWriteRefused(part.drafts, cellId, refusal) };
  }
  // While the problem lasts, it is shown at the cell as its `file_problem`.
  if (code === 'source_not_saved') return quiet;
  if (
    code === 'cell_busy' &&
    cellId !== undefined &&
    drafts.nextPendingReply(part.drafts, cellId) !== undefined
  ) {
    return { ...quiet, drafts: drafts.withoutPendingReply(part.drafts, cellId) };
  }
  if (code === 'cell_busy' && cellId !== undefined) {
    const heldBack = new Set(part.heldBack).add(cellId);
    return { ...quiet, drafts: drafts.withResend(part.drafts, cellId), heldBack };
  }
  // A hold refuses edits for a while: the draft stays, and is sent at the next opportunity.
  if (code === 'NOTEBOOK_QUIESCED' && cellId !== undefined && part.drafts[cellId] !== undefined) {
    return { ...part, drafts: drafts.withResend(part.drafts, cellId) };
  }
  return part;
}
