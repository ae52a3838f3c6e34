/** The list of example notebooks on the first page. */

import { type ReactNode, useEffect, useState } from 'react';
import { plainText } from '../../src-shared/notebook/headings.ts';
import type { AnswerOf } from '../live/rest.ts';
import { callRoute, RestError } from '../live/rest.ts';
import { Spinner } from '../ui/Spinner.tsx';
import { toast } from '../ui/Toast.tsx';
import { HOME_WORDS } from '../words/home.ts';

/** How many examples are shown before "Show all" is clicked. */
const SHORT = 3;

type Example = AnswerOf<'listExamples'>['examples'][number];

/** The example notebooks of the program. `children` are shown above them while there are no other notebooks. */
export function Examples(props: {
  openPath: (path: string) => void;
  first: boolean;
  offline: boolean;
  children: ReactNode;
}) {
  const { openPath, first, offline, children } = props;
  const examples = useExamples(offline);
  const [all, setAll] = useState(false);
  const [opening, setOpening] = useState<string | null>(null);
  const open = (example: Example): void => {
    setOpening(example.name);
    callRoute('openExample', { params: { name: example.name } }).then(
      ({ path }) => openPath(path),
      (error: unknown) => {
        if (!(error instanceof RestError)) throw error;
        setOpening(null);
        toast(error.message, { tone: 'error' });
      },
    );
  };
  return (
    <>
      {first ? children : null}
      {examples.length === 0 ? null : (
        <section className="places">
          <header className="places-head">
            <h2>{HOME_WORDS.examples}</h2>
            <span className="places-hint">{HOME_WORDS.examplesHint}</span>
          </header>
          <ul className="examples">
            {(all ? examples : examples.slice(0, SHORT)).map((example) => (
              <li key={example.name}>
                <button
                  type="button"
                  className="example"
                  disabled={opening !== null}
                  onClick={() => open(example)}
                >
                  <span className="example-title">
                    {example.title}
                    {opening === example.name ? <Spinner label={HOME_WORDS.opening} /> : null}
                  </span>
                  <span className="example-about">{plainText(example.about)}</span>
                  <span className="example-cells">{HOME_WORDS.exampleCells(example.cells)}</span>
                </button>
              </li>
            ))}
          </ul>
          {examples.length > SHORT ? (
            <button type="button" className="home-text-btn" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? HOME_WORDS.showFewer : HOME_WORDS.showAllExamples(examples.length)}
            </button>
          ) : null}
        </section>
      )}
    </>
  );
}

/** Loaded once the server responds; none are shown if the server has none. */
function useExamples(offline: boolean): readonly Example[] {
  const [examples, setExamples] = useState<readonly Example[]>([]);
  useEffect(() => {
    if (offline) return;
    const stop = new AbortController();
    callRoute('listExamples', {}, { signal: stop.signal }).then(
      (answer) => setExamples(answer.examples),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof RestError)) throw error;
        console.warn('the examples could not be listed', error);
      },
    );
    return () => stop.abort();
  }, [offline]);
  return examples;
}
