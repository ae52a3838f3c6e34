/** The draggable edge of a panel region, which changes the region's size. */

import { useRef } from 'react';
import { clampSize, REGION_SIZES, type Region, sizeOf } from '../state/layout.ts';
import { WORKBENCH } from '../words/workbench.ts';
import { layoutActions, useLayout } from './useLayout.ts';

/** How far an arrow key moves a separator, in CSS px. */
const STEP = 16;

/** The edge of a region: dragged, or moved by the arrow keys; a double-click restores the default size. */
export function Separator({ region }: { region: Region }) {
  const size = useLayout((layout) => sizeOf(layout, region));
  const { min, max, usual } = REGION_SIZES[region];
  const drag = useRef<{ from: number; size: number; frame: number } | null>(null);
  const isFlat = region === 'bottom';
  /** The direction that makes this region larger: right, left, or up. */
  const sign = region === 'left' ? 1 : -1;
  const place = (event: React.PointerEvent): number => (isFlat ? event.clientY : event.clientX);
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot be moved
    <div
      className={`separator separator-${region}`}
      role="separator"
      aria-orientation={isFlat ? 'horizontal' : 'vertical'}
      aria-label={WORKBENCH.resize[region]}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { from: place(event), size, frame: 0 };
      }}
      onPointerMove={(event) => {
        const start = drag.current;
        if (start === null) return;
        const to = clampSize(region, start.size + sign * (place(event) - start.from));
        cancelAnimationFrame(start.frame);
        start.frame = requestAnimationFrame(() => layoutActions().resize(region, to));
      }}
      onPointerUp={() => {
        drag.current = null;
      }}
      onPointerCancel={() => {
        drag.current = null;
      }}
      onDoubleClick={() => layoutActions().resize(region, usual)}
      onKeyDown={(event) => {
        const to = keyed(event.key, { size, sign, isFlat, min, max });
        if (to === null) return;
        event.preventDefault();
        layoutActions().resize(region, to);
      }}
    />
  );
}

function keyed(
  key: string,
  at: { size: number; sign: 1 | -1; isFlat: boolean; min: number; max: number },
): number | null {
  const [less, more] = at.isFlat ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
  if (key === more) return at.size + at.sign * STEP;
  if (key === less) return at.size - at.sign * STEP;
  if (key === 'Home') return at.min;
  return key === 'End' ? at.max : null;
}
