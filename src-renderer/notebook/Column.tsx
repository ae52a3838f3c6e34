/** The column of cells: renders the first cells of a notebook immediately and the others shortly after. */

import './column.css';
import { startTransition, useEffect, useMemo, useState } from 'react';
import { CellPlaces } from '../outputs/cellPlaces.ts';
import { WidgetPlace } from '../outputs/widget/widgetPort.ts';
import { shownOrder } from '../state/variants.ts';
import '../ui/restingList.ts';
import { WORDS } from '../words/strings.ts';
import { AddAtEnd } from './AddCell.tsx';
import { CellCard } from './CellCard.tsx';
import { CellContextMenu } from './CellContextMenu.tsx';
import { useSession, useView } from './context.ts';
import { ReorderableCells } from './dragging.tsx';
import { EmptyNotebook } from './EmptyNotebook.tsx';
import { useGoToCell } from './useGoToCell.ts';

/** Cells rendered immediately on opening; the others follow in as few steps as keep the page responsive. */
const FIRST_CELLS = 12;
const MORE_CELLS = 500;

/**
 * How many cells are rendered: few at first, all shortly after, added below the existing ones so that nothing moves.
 * The others are rendered as a transition and inserted together, since each insertion lays out the whole column. If a
 * cell is requested, all cells above it are rendered too.
 */
function useCellsShown(total: number, needed: number): number {
  const [mountedCount, setMountedCount] = useState(FIRST_CELLS);
  const now = Math.max(mountedCount, needed + 1);
  useEffect(() => {
    if (now >= total) return;
    const handle = requestAnimationFrame(() => startTransition(() => setMountedCount(now + MORE_CELLS)));
    return () => cancelAnimationFrame(handle);
  }, [now, total]);
  return Math.min(now, total);
}

/** The cells of the notebook, top to bottom. */
export function Column() {
  const loaded = useView((view) => view.model.meta !== null);
  const order = useView((view) => view.model.order);
  const cells = useView(shownOrder);
  const problem = useView((view) => view.problem);
  const neededIndex = useView((view) =>
    Math.max(
      ...[view.focusedId, view.wantedId].map((id) => (id === null ? -1 : shownOrder(view).indexOf(id))),
    ),
  );
  const mountedCount = useCellsShown(cells.length, neededIndex);
  const goToCell = useGoToCell();
  const session = useSession();
  const widgets = useMemo(
    () => ({ widgets: session.widgets, run: (id: string) => session.runs.rerun(id) }),
    [session],
  );
  if (problem !== null && !loaded) return null;
  if (!loaded) return <Loading />;
  return (
    <div className="col">
      {order.length === 0 ? (
        <EmptyNotebook />
      ) : (
        <ReorderableCells>
          <CellContextMenu>
            {/* biome-ignore lint/a11y/useSemanticElements: cells are sections; a ul would want li around each */}
            <div
              className="cells"
              role="list"
              aria-label={WORDS.cells}
              aria-busy={mountedCount < cells.length}
            >
              <resting-list>
                <CellPlaces value={goToCell}>
                  <WidgetPlace value={widgets}>
                    {cells.slice(0, mountedCount).map((id, at) => (
                      <CellCard key={id} id={id} index={order === cells ? at : order.indexOf(id)} />
                    ))}
                  </WidgetPlace>
                </CellPlaces>
              </resting-list>
            </div>
          </CellContextMenu>
        </ReorderableCells>
      )}
      <AddAtEnd />
    </div>
  );
}

function Loading() {
  return (
    <div className="col" aria-busy="true">
      <span className="visually-hidden" role="status">
        {WORDS.loading}
      </span>
      {[64, 108, 84].map((height) => (
        <div key={height} className="cell cell-ahead" style={{ height }} />
      ))}
    </div>
  );
}
