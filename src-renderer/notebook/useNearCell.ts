import { startTransition, useEffect, useState } from 'react';
import { watchNear } from '../ui/useNearViewport.ts';

/** Whether a cell is drawn in full: from the beginning, or once it has been near the viewport or `needed`. */
export function useNearCell(
  place: React.RefObject<HTMLElement | null>,
  { initially, needed }: { readonly initially: boolean; readonly needed: boolean },
): boolean {
  const [near, setNear] = useState(initially);
  const full = near || needed;
  useEffect(() => {
    if (near) return;
    if (full) setNear(true);
    // In slices: a scroll goes on while the cells it leads to are drawn.
    else if (place.current !== null)
      return watchNear(place.current, () => startTransition(() => setNear(true)));
  }, [near, full, place]);
  return full;
}
