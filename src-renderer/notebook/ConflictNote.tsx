import './conflict.css';
import { useMemo, useState } from 'react';
import { lineDiff } from '../state/lineDiff.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { WORDS } from '../ui/strings.ts';
import { CARD_WORDS } from '../ui/words/cellCard.ts';
import { useCell, useSession } from './context.ts';

/** Two texts stand against each other: both can be seen, and the person says which one stays. */
export function ConflictNote({ id, mine, reason }: { id: string; mine: string; reason: string | null }) {
  const session = useSession();
  const theirs = useCell(id, (view) => view.model.cells[id]?.cell.source ?? '');
  const [both, setBoth] = useState(false);
  return (
    <div className="cell-note" data-conflict={id}>
      <Notice
        tone="warn"
        actions={
          <>
            <Button aria-expanded={both} onClick={() => setBoth(!both)}>
              {both ? CARD_WORDS.hideBoth : CARD_WORDS.seeBoth}
            </Button>
            <Button onClick={() => session.edits.keepMine(id)}>{WORDS.keepMine}</Button>
            <Button onClick={() => session.edits.takeTheirs(id)}>{WORDS.takeTheirs}</Button>
          </>
        }
      >
        {reason ?? WORDS.draftTheirs}
      </Notice>
      {both ? <Both theirs={theirs} mine={mine} /> : null}
    </div>
  );
}

const SIGN = { same: ' ', theirs: '−', mine: '+' };

function Both({ theirs, mine }: { theirs: string; mine: string }) {
  const lines = useMemo(() => lineDiff(theirs, mine), [theirs, mine]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by key
    <section className="diff" tabIndex={0} aria-label={CARD_WORDS.diffLabel} data-own-arrows>
      {lines.map(({ kind, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <span key={at} className={`diff-line diff-${kind}`}>
          <span className="diff-sign">{SIGN[kind]}</span>
          {text}
          {'\n'}
        </span>
      ))}
    </section>
  );
}
