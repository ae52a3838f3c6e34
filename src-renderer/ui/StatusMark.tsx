/** The status of a cell as a mark that differs in colour and in shape: ring, triangle, disc, cross, dashed ring. */

import { WORDS } from '../words/strings.ts';

export type MarkKind = 'idle' | 'running' | 'ready' | 'error' | 'stale' | 'text';

export function StatusMark({ kind }: { kind: MarkKind }) {
  const drawing = { className: `mark mark-${kind}`, viewBox: '0 0 10 10', 'data-status': kind };
  // The mark of a text cell is only decoration.
  return kind === 'text' ? (
    <svg {...drawing} aria-hidden="true">
      {shapeOf(kind)}
    </svg>
  ) : (
    <svg {...drawing} role="img" aria-label={WORDS.status[kind]}>
      {shapeOf(kind)}
    </svg>
  );
}

function shapeOf(kind: MarkKind) {
  switch (kind) {
    case 'idle':
      return <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" strokeWidth="1.4" />;
    case 'running':
      return <path d="M2 1.5l6.5 3.5L2 8.5z" fill="currentColor" />;
    case 'ready':
      return <circle cx="5" cy="5" r="4" fill="currentColor" />;
    case 'error':
      return <path d="M1.5 1.5l7 7M8.5 1.5l-7 7" stroke="currentColor" strokeWidth="1.8" fill="none" />;
    case 'stale':
      return (
        <circle
          cx="5"
          cy="5"
          r="3.4"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeDasharray="3 2"
        />
      );
    case 'text':
      return <path d="M1 2.5h8M1 5h8M1 7.5h5" stroke="currentColor" strokeWidth="1.4" fill="none" />;
  }
}
