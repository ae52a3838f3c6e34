/** The differences between two texts, line by line; with `whole`, all equal lines are shown, too. */

import './diff.css';
import { useMemo } from 'react';
import { DIFF_WORDS } from '../words/diff.ts';
import { changedRows, type DiffRow, lineDiff } from './lineDiff.ts';

const SIGN = { same: ' ', before: '−', after: '+' };

export function DiffView(props: { before: string; after: string; label: string; whole?: boolean }) {
  const { before, after, label, whole = false } = props;
  const rows = useMemo((): readonly DiffRow[] => {
    const lines = lineDiff(before, after);
    return whole ? lines : changedRows(lines);
  }, [before, after, whole]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by key
    <section className="diff" tabIndex={0} aria-label={label} data-own-arrows>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <Row key={at} row={row} />
      ))}
    </section>
  );
}

function Row({ row }: { row: DiffRow }) {
  if (row.kind === 'gap') return <span className="diff-gap">{DIFF_WORDS.gap(row.lines)}</span>;
  return (
    <span className={`diff-line diff-${row.kind}`}>
      {/* For people who cannot tell the colours apart. */}
      <span className="diff-sign">{SIGN[row.kind]}</span>
      {row.text}
      {'\n'}
    </span>
  );
}
