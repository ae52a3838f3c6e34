/** One line of the Outline panel: a cell with its status, or a heading of a text cell. */

import { FlaskConical } from 'lucide-react';
import { memo } from 'react';
import { LanguageIcon } from '../../editor/LanguageMark.tsx';
import { causeWords } from '../../notebook/causeWords.ts';
import { useCellParts, useSession } from '../../notebook/context.ts';
import { statusWords } from '../../notebook/statusWords.ts';
import { verdictWords } from '../../notebook/tests/verdictWords.ts';
import { causeOf } from '../../state/cause.ts';
import { CELL_LANGUAGES } from '../../state/cellLanguages.ts';
import { cellName } from '../../state/cellName.ts';
import { testVerdict } from '../../state/cellTests.ts';
import { faultsOf } from '../../state/faults.ts';
import type { CellModel, LoopProgress } from '../../state/notebookModel.ts';
import type { OutlineRow } from '../../state/outline.ts';
import { othersAt } from '../../state/presence.ts';
import { isQueued } from '../../state/runQueue.ts';
import { shownModel } from '../../state/undecided.ts';
import { StatusMark } from '../../ui/StatusMark.tsx';
import { useNow } from '../../ui/useNow.ts';
import { FAULT_WORDS } from '../../words/faults.ts';
import { clockText, WORDS } from '../../words/strings.ts';
import { VARIANT_WORDS } from '../../words/variants.ts';
import { WORKBENCH } from '../../words/workbench.ts';

/** One line of the outline: a mark for the cell's status, its name, and its status as text. */
export const OutlineRowView = memo(function OutlineRowView(props: {
  row: OutlineRow;
  top: number;
  place: number;
  total: number;
  selected: boolean;
  /** Whether this is the first line of its cell. */
  first: boolean;
}) {
  const { row, top, place, total, selected, first } = props;
  const session = useSession();
  const { model, name, waits, others } = useCellParts(row.cellId, (view) => ({
    model: shownModel(view, row.cellId),
    name: cellName(view.model, row.cellId),
    waits: isQueued(view.model, row.cellId),
    others: othersAt(view.model.presence, row.cellId).length,
  }));
  if (model === undefined) return null;
  const { cell } = model;
  const faults = first ? faultsOf(cell).filter(({ severity }) => severity !== 'info') : [];
  const isPlain = row.heading === null && row.group === null;
  const isIdle = isPlain && cell.variant_group !== null && !cell.variant_active;
  const cause = isPlain ? causeOf(session.store.getState().model, cell) : null;
  return (
    // The list handles the keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={first ? `outline-${row.cellId}` : undefined}
      className={`outline-row${selected ? ' selected' : ''}${isPlain ? '' : ' outline-heading'}`}
      role="option"
      aria-selected={selected}
      aria-posinset={place}
      aria-setsize={total}
      style={{ top, paddingLeft: 6 + row.depth * 12 }}
      title={cause === null ? undefined : causeWords(cause)}
      data-outline={row.cellId}
      onClick={() => session.focus(row.cellId)}
    >
      <StatusMark kind={isPlain ? cell.status : 'text'} />
      <span className={isIdle ? 'outline-name outline-idle-variant' : 'outline-name'}>
        {row.group ?? row.heading ?? (row.depth > 0 ? cell.variant_name : null) ?? name}
      </span>
      {isPlain && !CELL_LANGUAGES[cell.language].isDefault ? (
        <span
          className="outline-language"
          title={CELL_LANGUAGES[cell.language].name}
          data-language={cell.language}
        >
          <LanguageIcon language={cell.language} />
          <span className="visually-hidden">{CELL_LANGUAGES[cell.language].name}</span>
        </span>
      ) : null}
      {others > 0 && first ? <span className="outline-other" title={WORKBENCH.someoneElse} /> : null}
      {faults.length === 0 ? null : (
        <span
          className={`outline-faults outline-faults-${faults[0]?.severity}`}
          title={faults.map(({ message }) => message).join('\n')}
        >
          <span aria-hidden="true">{faults.length}</span>
          <span className="visually-hidden">{FAULT_WORDS.count(faults.length)}</span>
        </span>
      )}
      {isPlain ? <OutlineTests model={model} /> : null}
      {!isPlain ? null : cell.status === 'running' ? (
        <Elapsed since={model.runningSince} loop={model.loop} />
      ) : (
        <span className={`outline-state outline-${cell.status}`}>
          {isIdle
            ? VARIANT_WORDS.inactiveRow
            : waits
              ? WORDS.queued
              : cell.status === 'ready' && cell.cache_hit
                ? WORKBENCH.rowCached
                : cell.status === 'ready'
                  ? ''
                  : statusWords(cell)}
        </span>
      )}
    </div>
  );
});

/** Whether the cell's tests pass; nothing if the cell has none. */
function OutlineTests({ model }: { model: CellModel }) {
  const verdict = testVerdict(model);
  if (verdict === null || verdict.kind === 'never') return null;
  const words = verdictWords(verdict);
  return (
    <span className={`outline-tests test-verdict-${verdict.kind}`} title={words}>
      <FlaskConical aria-hidden="true" />
      <span className="visually-hidden">{words}</span>
    </span>
  );
}

function Elapsed({ since, loop }: { since: number | null; loop: LoopProgress | null }) {
  const now = useNow(since !== null, 1_000);
  if (loop !== null) {
    return <span className="outline-state outline-running">{`${loop.finished}/${loop.maxIter}`}</span>;
  }
  return (
    <span className="outline-state outline-running">
      {since === null ? WORDS.status.running : clockText(now - since)}
    </span>
  );
}
