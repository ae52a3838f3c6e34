/** Chip beside a cell's name with the result of its tests. */

import { Check, CircleDashed, FlaskConical, X } from 'lucide-react';
import type { TestVerdict } from '../../state/cellTests.ts';
import { testVerdict } from '../../state/cellTests.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { Chip, type ChipTone } from '../../ui/Chip.tsx';
import { TEST_WORDS as W } from '../../words/tests.ts';
import { verdictWords } from './verdictWords.ts';

const LOOKS: Readonly<Record<TestVerdict['kind'], { tone: ChipTone; Icon: typeof Check }>> = {
  running: { tone: 'run', Icon: FlaskConical },
  never: { tone: 'plain', Icon: FlaskConical },
  unavailable: { tone: 'error', Icon: X },
  stale: { tone: 'stale', Icon: CircleDashed },
  passed: { tone: 'cache', Icon: Check },
  failed: { tone: 'error', Icon: X },
};

/** A chip in the cell's bar with the result of its tests. */
export function TestChip({ model }: { model: CellModel }) {
  const verdict = testVerdict(model);
  if (verdict === null || verdict.kind === 'never') return null;
  const { tone, Icon } = LOOKS[verdict.kind];
  const hint =
    verdict.kind === 'stale' ? W.staleHint : (model.cell.test_result?.problem ?? verdictWords(verdict));
  return (
    <Chip tone={tone} icon={<Icon aria-hidden="true" />} title={hint}>
      {verdictWords(verdict)}
    </Chip>
  );
}
