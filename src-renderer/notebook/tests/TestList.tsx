/**
 * The results of a cell's tests: outcome and duration of each, and for failures pytest's message and a link
 * to the line.
 */

import type { TestCase, TestResult } from '../../../src-shared/wire/cellTests.ts';
import { Notice } from '../../ui/Notice.tsx';
import { durationText } from '../../words/strings.ts';
import { TEST_WORDS as W } from '../../words/tests.ts';
import { useSession } from '../context.ts';

const MARK = { passed: '✓', failed: '✗', error: '!', skipped: '–' } as const;

export function TestList({ id, result }: { id: string; result: TestResult }) {
  return (
    <div className={result.stale ? 'test-results test-results-old' : 'test-results'}>
      {result.problem === undefined ? null : <Notice tone="error">{result.problem}</Notice>}
      {result.auto_installed.length === 0 ? null : <Notice tone="info">{W.installed}</Notice>}
      {result.stale ? <p className="test-old">{W.staleHint}</p> : null}
      <ul className="test-list" aria-label={W.list}>
        {result.tests.map((test) => (
          <TestRow key={test.nodeid} id={id} test={test} />
        ))}
      </ul>
    </div>
  );
}

function TestRow({ id, test }: { id: string; test: TestCase }) {
  const session = useSession();
  const { line = null, outcome, message, duration_ms: took } = test;
  return (
    <li className={`test-row test-row-${outcome}`}>
      <span className="test-head">
        <span aria-hidden="true" className="test-mark">
          {MARK[outcome]}
        </span>
        <span className="test-name">{nameOf(test)}</span>
        <span className="test-outcome">{W.outcome[outcome]}</span>
        {line === null || outcome === 'passed' ? null : (
          <button
            type="button"
            className="test-line"
            title={W.goToLine(line)}
            onClick={() => session.tests.edit(id, line)}
          >
            {`line ${line}`}
          </button>
        )}
        {took === undefined ? null : <span className="test-took">{durationText(took)}</span>}
      </span>
      {message === '' ? null : (
        <pre className="test-message" tabIndex={outcome === 'skipped' ? undefined : 0}>
          {message}
        </pre>
      )}
    </li>
  );
}

/** The name of a test, with its class if it is in one. */
function nameOf({ name, nodeid }: TestCase): string {
  const [, ...path] = nodeid.split('::');
  return path.length > 1 ? path.join('.') : name;
}
