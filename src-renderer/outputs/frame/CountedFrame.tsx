import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { countFigure, type Release } from './liveFigures.ts';

/**
 * A figure or a widget in its sandboxed frame. The frame is removed while it is far from the viewport and many others
 * are drawn (liveFigures.ts).
 * @param share its memory as a share of a figure's
 * @param onRelease releases it; null: it is never released
 */
export function CountedFrame({
  share,
  onRelease,
  children,
}: {
  share: number;
  onRelease: Release | null;
  children: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  const release = useRef(onRelease);
  release.current = onRelease;
  useLayoutEffect(() => {
    const { current } = place;
    if (current === null || release.current === null) return;
    return countFigure(current, {
      share,
      // A person who is using it may look elsewhere in the page for a moment.
      isInUse: () => current.contains(document.activeElement),
      release: async (isStillFar) => (await release.current?.(isStillFar)) ?? false,
    });
  }, [share]);
  return <div ref={place}>{children}</div>;
}
