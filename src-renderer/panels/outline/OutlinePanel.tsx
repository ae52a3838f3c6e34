/** The Outline panel: cells and headings in notebook order, and the variables below them. */

import './outline.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useSession, useView, useViewSame } from '../../notebook/context.ts';
import { type OutlineRow, outlineRows, sameRows } from '../../state/outline.ts';
import { WORKBENCH } from '../../words/workbench.ts';
import { OutlineRowView } from './OutlineRowView.tsx';
import { Variables } from './Variables.tsx';

/** Height of a line, in CSS px. */
const ROW = 26;

/**
 * Cells and headings in order, each cell with its status; a click or Enter goes there. Only lines in view are rendered.
 * The cells themselves are all in the page, so assistive technology does not depend on the outline.
 */
export function OutlinePanel() {
  const rows = useViewSame(outlineRows, sameRows);
  return (
    <>
      {rows.length === 0 ? (
        <p className="panel-quiet">{WORKBENCH.outlineEmpty}</p>
      ) : (
        <OutlineList rows={rows} />
      )}
      <Variables />
    </>
  );
}

function OutlineList({ rows }: { rows: ReturnType<typeof outlineRows> }) {
  const session = useSession();
  const box = useRef<HTMLDivElement>(null);
  const focusedId = useView((view) => view.focusedId);
  const current = rows.findIndex((row) => row.cellId === focusedId);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12,
    getItemKey: (at) => rows[at]?.key ?? at,
  });
  useEffect(() => {
    if (current !== -1) list.scrollToIndex(current, { align: 'auto' });
  }, [current, list]);
  const go = (at: number): void => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, at))];
    if (row !== undefined) session.focus(row.cellId);
  };
  const pages: Readonly<Record<string, number>> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    Home: 0,
    End: rows.length - 1,
  };
  return (
    <div
      ref={box}
      className="outline"
      style={{ minHeight: Math.min(rows.length, 3) * ROW }}
      data-leads-cells
      role="listbox"
      aria-label={WORKBENCH.panel.outline}
      tabIndex={0}
      aria-activedescendant={current === -1 ? undefined : `outline-${rows[current]?.cellId}`}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && current !== -1) {
          event.preventDefault();
          document.querySelector<HTMLElement>('[data-cell-id][aria-current=true]')?.focus();
          return;
        }
        const to = pages[event.key];
        if (to === undefined) return;
        event.preventDefault();
        // Several headings may belong to one cell: continue to the next cell.
        const step = event.key === 'ArrowUp' ? -1 : 1;
        let at = to;
        while (event.key.startsWith('Arrow') && rows[at]?.cellId === focusedId && focusedId !== null)
          at += step;
        go(at);
      }}
    >
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <OutlineRowView
              key={key}
              row={row}
              top={start}
              place={index + 1}
              total={rows.length}
              selected={row.cellId === focusedId && row.group === null}
              first={isFirst(row, rows[index - 1])}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Whether a line is the first of its cell. The heading of a variant group belongs to no cell. */
function isFirst(row: OutlineRow, before: OutlineRow | undefined): boolean {
  return row.group === null && (before?.cellId !== row.cellId || before.group !== null);
}
