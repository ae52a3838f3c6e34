import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { countFigure, type Release } from './liveFigures.ts';

/**
 * A figure or a widget in its frame, released while it is far away and many others are drawn.
 * @param share of what a figure takes in memory
 * @param onRelease takes it away; null: it stays
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
      // A person who writes or moves something in it may look elsewhere for a moment.
      isInUse: () => current.contains(document.activeElement),
      release: async (isStillFar) => (await release.current?.(isStillFar)) ?? false,
    });
  }, [share]);
  return <div ref={place}>{children}</div>;
}
