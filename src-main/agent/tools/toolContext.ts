/**
 * What all tools of the assistant share: the notebook they work in, the lookup of cells, and the type of a planned
 * change.
 */

import { type CellId, cellId as cellIdOf } from '../../../src-shared/notebook/ids.ts';
import type { AgentPreview } from '../../../src-shared/wire/assistant.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import { cellNameOf } from '../../../src-shared/wire/toCellView.ts';
import type { ConversationImage } from '../../ai/conversation.ts';
import type { Origin, Reply, SessionRequest } from '../../session/state/requests.ts';
import type { TableService } from '../../table/service/tableService.ts';
import type { AgentNotebook } from '../agentNotebook.ts';
import type { Fence } from '../fence.ts';
import type { UndoChange } from '../undoStep.ts';

/** The context of the tools of one job. */
export interface ToolContext {
  readonly notebook: AgentNotebook;
  readonly tables: Pick<TableService, 'summary'>;
  readonly origin: Origin;
  readonly fence: Fence;
  /** Cells that the user left out: they do not exist for the model. */
  readonly leaveOut: ReadonlySet<string>;
  /** The sources that the model has read or written: a cell with a different source is not overwritten. */
  readonly seen: Map<string, string>;
  readonly signal: AbortSignal;
  /** The text of a cell before this job changed it; null if it did not. */
  readonly textBefore: (cellId: string) => string | null;
  /**
   * Makes a change that can be undone in any case. `make` returns the actual change, which may differ from
   * the planned one, or null if it was not made.
   */
  readonly change: (planned: UndoChange, make: () => Promise<UndoChange | null>) => Promise<void>;
}

/** The result of a tool for the model. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
  readonly images?: readonly ConversationImage[];
}

/** A planned change, which may have to be confirmed. */
export interface Plan {
  /** One line for the user. */
  readonly summary: string;
  preview(): Promise<AgentPreview>;
  apply(): Promise<ToolOutcome>;
}

export const successOutcome = (text: string): ToolOutcome => ({ text, isError: false });
export const errorOutcome = (text: string): ToolOutcome => ({ text, isError: true });

/** The cells that the model may see. */
export function visibleCells({
  notebook,
  leaveOut,
}: Pick<ToolContext, 'notebook' | 'leaveOut'>): readonly Cell[] {
  return notebook.views.cells.all().filter(({ id }) => !leaveOut.has(id));
}

/**
 * The cell with a name: the active cell that defines the variable (the last of several), else the one with
 * that `@name`, else the one with that id. Null: none.
 */
export function findCell(context: Pick<ToolContext, 'notebook' | 'leaveOut'>, name: string): Cell | null {
  const cells = visibleCells(context);
  const definers = cells.filter(({ defines }) => defines.includes(name));
  return (
    definers.findLast(({ variant_active: isActive }) => isActive) ??
    definers.at(-1) ??
    cells.find(({ annotations }) => annotations.name === name) ??
    cells.find(({ id }) => id === name) ??
    null
  );
}

/** The answer to the model for a name that no cell has. */
export function unknownCell(name: string): ToolOutcome {
  return errorOutcome(`No cell defines ${name}, and none has that name or id. Read the notebook's state.`);
}

/** Dispatches a request to the session, like any other client. */
export function dispatch(
  { notebook, origin }: Pick<ToolContext, 'notebook' | 'origin'>,
  request: SessionRequest,
) {
  return notebook.dispatch(request, origin);
}

/** The answer to the model when the session refuses its request; null if it does not. */
export function refusalOf(reply: Reply): ToolOutcome | null {
  return reply.kind === 'refused' ? errorOutcome(reply.error.message) : null;
}

export function idOf(cell: Pick<Cell, 'id'>): CellId {
  return cellIdOf(cell.id);
}

/** The cell's name in the window. */
export function labelOf(cell: Cell): string {
  return cellNameOf(cell);
}

/** Cells that are ready now and depend on this one, directly or indirectly. */
export function staleAfter(context: Pick<ToolContext, 'notebook'>, cell: Cell): readonly string[] {
  const cells = new Map(context.notebook.views.cells.all().map((one) => [one.id, one]));
  const reached = new Set<string>();
  const queue = [...cell.downstream_ids];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    queue.push(...(cells.get(id)?.downstream_ids ?? []));
  }
  return [...cells.values()].flatMap((one) =>
    reached.has(one.id) && one.status === 'ready' ? [one.id] : [],
  );
}
