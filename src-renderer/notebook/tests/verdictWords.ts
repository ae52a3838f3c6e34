import type { TestVerdict } from '../../state/cellTests.ts';
import { TEST_WORDS as W } from '../../words/tests.ts';

/** The text of a test badge. */
export function verdictWords(verdict: TestVerdict): string {
  switch (verdict.kind) {
    case 'running':
      return W.running;
    case 'never':
      return W.never;
    case 'unavailable':
      return W.noPytest;
    case 'stale':
      return W.stale;
    case 'passed':
      return W.passed(verdict.count);
    case 'failed':
      return W.failed(verdict.failed, verdict.count);
    default:
      return verdict satisfies never;
  }
}
