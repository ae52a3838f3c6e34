import { startTransition, useEffect, useMemo, useState } from 'react';
import type { CellModel } from '../state/notebookModel.ts';
import { watchNear } from '../ui/useNearViewport.ts';
import { type OffscreenCell, offscreenCell } from './offscreenCell.ts';

/**
 * The content of a cell while it is far from the viewport. Null for a cell that is rendered in full: because it must be
 * from the start, because its height is unknown, because it has been near the viewport, or because it is `needed`.
 */
export function useOffscreenCell(
  place: React.RefObject<HTMLElement | null>,
  cell: {
    readonly model: CellModel | undefined;
    /** Null if the cell is to be rendered in full. */
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
    // Rendered as a transition, so that scrolling continues meanwhile.
    else if (place.current !== null)
      return watchNear(place.current, () => startTransition(() => setNear(true)));
  }, [near, full, place]);
  return far;
}
