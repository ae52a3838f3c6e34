/** The tests of a cell below its source: their text and results. */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import '../strip.css';
import './tests.css';
import { ChevronDown, ChevronRight, FlaskConical, Play, Square } from 'lucide-react';
import { memo } from 'react';
import { testVerdict } from '../../state/cellTests.ts';
import type { CellModel, TestProgress } from '../../state/notebookModel.ts';
import { Button } from '../../ui/Button.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { TEST_WORDS as W } from '../../words/tests.ts';
import { useCell, useSession } from '../context.ts';
import { TestCode } from './TestCode.tsx';
import { TestConflict } from './TestConflict.tsx';
import { TestList } from './TestList.tsx';
import { verdictWords } from './verdictWords.ts';

/** The strip below a cell that has tests: their result, the run button, and, when open, their source and details. */
export const TestStrip = memo(function TestStrip(props: { id: string; model: CellModel; name: string }) {
  const { id, model, name } = props;
  const session = useSession();
  const open = useCell(id, (view) => view.tests[id] === true);
  const { cell, testing, testProgress: at } = model;
  if (!LANGUAGES[cell.language].hasTests || (!open && cell.test_source === '')) return null;
  const verdict = testVerdict(model);
  return (
    <section className="strip" aria-label={W.section(name)}>
      {testing ? <Progress label={W.running} tone="run" value={shareOf(at)} /> : null}
      <div className="test-bar">
        <button
          type="button"
          className="strip-toggle"
          aria-expanded={open}
          title={open ? W.close : W.open}
          onClick={() => session.tests.show(id, !open)}
        >
          {open ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
          <FlaskConical aria-hidden="true" />
          {W.tests}
          {verdict === null ? null : (
            <span className={`test-verdict test-verdict-${verdict.kind}`} role="status">
              {verdictWords(verdict)}
            </span>
          )}
          {/* Outside the live region, because otherwise the name of every test would be announced. */}
          {testing && at !== null ? (
            <span className="test-at">
              {W.progress(at)}
              {at.test === null ? null : <code className="test-now">{at.test}</code>}
            </span>
          ) : null}
        </button>
        {testing ? (
          <Button
            aria-label={W.stopOf(name)}
            icon={<Square aria-hidden="true" />}
            onClick={() => void session.tests.stop(id)}
          >
            {W.stop}
          </Button>
        ) : open ? (
          <Button
            aria-label={W.runOf(name)}
            icon={<Play aria-hidden="true" />}
            onClick={() => void session.tests.run(id)}
          >
            {W.run}
          </Button>
        ) : null}
      </div>
      {open ? (
        <>
          <TestConflict id={id} />
          <TestCode id={id} name={name} />
          {cell.test_result === null ? null : <TestList id={id} result={cell.test_result} />}
        </>
      ) : null}
    </section>
  );
});

function shareOf(at: TestProgress | null): number | null {
  return at === null || at.total === null || at.total === 0 ? null : at.done / at.total;
}
