/** Lists the text changes that the assistant proposes for a cell, each with buttons to accept or reject it. */

import '../../ui/diff.css';
import { Check, X } from 'lucide-react';
import type { Hunk, Segment } from '../../state/assistant/proposal.ts';
import { Button } from '../../ui/Button.tsx';
import { ASK_WORDS as W } from '../../words/ask.ts';
import { DIFF_WORDS } from '../../words/diff.ts';

/** How many unchanged lines are shown around a change. */
const AROUND = 2;

interface Deciding {
  /** Accepted (true) or rejected (false), by the key of a change. */
  readonly decided: Readonly<Record<string, boolean>>;
  readonly decide: (hunk: Hunk, isAccepted: boolean) => void;
}

/** The changes of a text with a few lines around each; each can be accepted or rejected. */
export function HunkList(props: { segments: readonly Segment[]; label: string; deciding?: Deciding }) {
  const { segments, label, deciding } = props;
  const count = segments.filter(({ kind }) => kind === 'hunk').length;
  let at = 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by key
    <section className="diff inline-ask-diff" tabIndex={0} aria-label={label} data-own-arrows>
      {segments.map((segment, index) => {
        if (segment.kind === 'same') {
          const isFirst = index === 0;
          const isLast = index === segments.length - 1;
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are their place
          return <SameLines key={index} lines={segment.lines} isFirst={isFirst} isLast={isLast} />;
        }
        at += 1;
        return <HunkView key={segment.key} hunk={segment} at={at} count={count} deciding={deciding} />;
      })}
    </section>
  );
}

function SameLines(props: { lines: readonly string[]; isFirst: boolean; isLast: boolean }) {
  const { lines, isFirst, isLast } = props;
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? 0 : AROUND;
  // Hiding a single line would save no space.
  const hidden = lines.length - head - tail;
  if (hidden <= 1) return <Lines lines={lines} kind="same" sign=" " />;
  return (
    <>
      <Lines lines={lines.slice(0, head)} kind="same" sign=" " />
      <span className="diff-gap">{DIFF_WORDS.gap(hidden)}</span>
      <Lines lines={lines.slice(lines.length - tail)} kind="same" sign=" " />
    </>
  );
}

function HunkView(props: { hunk: Hunk; at: number; count: number; deciding: Deciding | undefined }) {
  const { hunk, at, count, deciding } = props;
  const { before, after, isHidden } = hunk;
  const state = deciding?.decided[hunk.key];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is of fields
    <div
      className="inline-ask-hunk"
      role="group"
      aria-label={W.hunk(at, count, before.length, after.length)}
      data-hunk={state === undefined ? 'open' : state ? 'accepted' : 'rejected'}
    >
      {deciding === undefined || count === 1 ? null : (
        <div className="inline-ask-hunk-acts">
          {state === undefined ? null : (
            <span className="inline-ask-hint">{state ? W.accepted : W.rejected}</span>
          )}
          <Button
            aria-label={W.rejectOne(at)}
            aria-pressed={state === false}
            onClick={() => deciding.decide(hunk, false)}
            icon={<X aria-hidden="true" />}
          >
            {W.reject}
          </Button>
          <Button
            aria-label={W.acceptOne(at)}
            aria-pressed={state === true}
            disabled={isHidden}
            onClick={() => deciding.decide(hunk, true)}
            icon={<Check aria-hidden="true" />}
          >
            {W.accept}
          </Button>
        </div>
      )}
      <Lines lines={before} kind="before" sign="−" />
      <Lines lines={after} kind="after" sign="+" />
      {isHidden ? <span className="diff-gap">{W.hidden}</span> : null}
    </div>
  );
}

function Lines(props: { lines: readonly string[]; kind: 'same' | 'before' | 'after'; sign: string }) {
  const { lines, kind, sign } = props;
  return lines.map((text, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
    <span key={at} className={`diff-line diff-${kind}`}>
      {/* So that changes do not depend on colour alone. */}
      <span className="diff-sign">{sign}</span>
      {text}
      {'\n'}
    </span>
  ));
}
