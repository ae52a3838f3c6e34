import { startTransition, useEffect, useMemo, useState } from 'react';
import type { CellModel } from '../state/notebookModel.ts';
import { watchNear } from '../ui/useNearViewport.ts';
import { type OffscreenCell, offscreenCell } from './offscreenCell.ts';

/**
 * How a cell is drawn while it is far from what is seen; null for one that is drawn in full: from the beginning, where
 * only the whole card will do, or once it has been near the viewport or `needed`.
 */
export function useOffscreenCell(
  place: React.RefObject<HTMLElement | null>,
  cell: {
    readonly model: CellModel | undefined;
    /** Null where the cell is to be drawn in full. */
    readonly source: string | null;
    readonly fullFromStart: boolean;
    readonly needed: boolean;
  },
): OffscreenCell | null {
  const { model, source, fullFromStart, needed } = cell;
  const [near, setNear] = useState(fullFromStart);
  const whole = near || needed;
  const far = useMemo(
    () => (whole || model === undefined || source === null ? null : offscreenCell(model, source)),
    [whole, model, source],
  );
  const full = far === null;
  useEffect(() => {
    if (near) return;
    if (full) setNear(true);
    // In slices: a scroll goes on while the cells it leads to are drawn.
    else if (place.current !== null)
      return watchNear(place.current, () => startTransition(() => setNear(true)));
  }, [near, full, place]);
  return far;
}
