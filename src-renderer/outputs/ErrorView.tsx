import type { ReactNode } from 'react';
import type { FailureHint } from '../state/notebookModel.ts';
import { WORDS } from '../words/strings.ts';
import type { CellPlace } from './traceback.ts';
import { splitError, tracebackParts } from './traceback.ts';

/** Shows the error of a failed run: first what went wrong, then where, then what to do if that is known. */
export function ErrorView(props: {
  error: string;
  failure: FailureHint | null;
  /** The display name of a cell that a traceback names. */
  nameOf: (cell: string) => string;
  onPlace: (place: CellPlace) => void;
  /** Whether the error is a sentence and not the output of a program. */
  isProse?: boolean;
  /** Actions that may help. */
  children?: ReactNode;
}) {
  const { error, failure, nameOf, onPlace, isProse = false } = props;
  if (failure?.code === 'cancelled') return <div className="error-quiet">{WORDS.cancelled}</div>;
  const { summary, message, traceback } = splitError(error);
  return (
    <div className="error">
      <div className={isProse && traceback === null ? 'error-summary error-prose' : 'error-summary'}>
        {summary}
      </div>
      {message === null ? null : (
        // Scrollable regions must be reachable by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        <pre className="error-message" tabIndex={0}>
          {message}
        </pre>
      )}
      {traceback === null ? null : (
        <pre className="error-trace">
          {tracebackParts(traceback).map((part, index) =>
            part.kind === 'text' ? (
              part.text
            ) : (
              <button
                // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified only by its position
                key={index}
                type="button"
                className="error-place"
                onClick={() => onPlace(part.place)}
              >
                {WORDS.goToLine(nameOf(part.place.cell), part.place.line)}
              </button>
            ),
          )}
        </pre>
      )}
      {props.children}
    </div>
  );
}
