/** The part of a column's header below its name: a line of text and bars that show the distribution of the values. */

import './headerFacts.css';
import { memo, useMemo, useState } from 'react';
import type { ColumnDistribution } from '../../../src-shared/wire/routes/extensions.ts';
import { BAR_HEIGHT, bandPath, barAt, barPath, barShape } from './barShape.ts';
import type { GridColumn } from './columnLayout.ts';
import { ROOM } from './columnLayout.ts';
import { barsOf } from './distribution.ts';
import { BOX_PADDING } from './GridRow.tsx';
import type { ColumnSummary } from './summary.ts';
import { summaryLine } from './summary.ts';
import { cutClass } from './textFits.ts';

/** The part of a header below the name: a line of text, and bars that show the distribution of the values. */
export const HeaderFacts = memo(function HeaderFacts(props: {
  column: GridColumn;
  summary: ColumnSummary | null;
  /** Null while the distribution is not known. */
  spread: ColumnDistribution | null;
  /** The number of rows of the distribution. */
  total: number;
  /** Whether the header has room for bars. */
  bars: boolean;
}) {
  const { column, summary, spread, total } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const room = column.width - BOX_PADDING;
  const bars = useMemo(() => (spread === null ? [] : barsOf(spread, total)), [spread, total]);
  const shape = useMemo(() => barShape(bars, room), [bars, room]);
  const bar = pointed === null ? undefined : bars[pointed];
  const here = pointed === null ? null : { at: pointed, pitch: shape.pitch };
  const line = summary === null ? '' : summaryLine(summary, column.kind);
  const most = bars.reduce((high, { count }) => Math.max(high, count), 0);
  return (
    <>
      {bar === undefined ? (
        <span className={cutClass('head-summary', line, { width: column.width - ROOM, size: 10.5 })}>
          {line}
        </span>
      ) : (
        // A text that is wider than its column covers the neighbouring headers.
        <span className="head-summary header-facts-text">{bar.words}</span>
      )}
      {props.bars ? (
        <span className="head-bars">
          {bars.length === 0 ? null : (
            <svg
              className="spread-bars"
              aria-hidden="true"
              width={shape.width}
              height={BAR_HEIGHT}
              onPointerMove={(event) => {
                const { left } = event.currentTarget.getBoundingClientRect();
                setPointed(barAt(shape, bars.length, event.clientX - left));
              }}
              onPointerLeave={() => setPointed(null)}
            >
              <path d={shape.bars} />
              {shape.rest === '' ? null : <path className="bar-rest" d={shape.rest} />}
              {bar === undefined || here === null ? null : (
                <>
                  <path className="bar-band" d={bandPath(here)} />
                  <path className="bar-here" d={barPath(bar.count / most, here)} />
                </>
              )}
            </svg>
          )}
        </span>
      ) : null}
    </>
  );
});
