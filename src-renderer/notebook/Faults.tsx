/** Lists the faults of a cell (problems found in its code) below its text, with a quick fix where there is one. */

import './faults.css';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { fixOf } from '../../src-shared/notebook/fixes.ts';
import type { Cell, Diagnostic } from '../../src-shared/wire/cell.ts';
import { applyFix } from '../live/applyFix.ts';
import { askToExplainFault } from '../live/assistant/preparedQuestions.ts';
import { faultsOf } from '../state/faults.ts';
import { shownSource } from '../state/notebookStore.ts';
import { Chip } from '../ui/Chip.tsx';
import { ASSISTANT_WORDS } from '../words/assistant.ts';
import { FAULT_WORDS as W } from '../words/faults.ts';
import { useCell, useSession } from './context.ts';

/** The most problems shown at first; a button shows the rest. */
const FEW = 3;

/** The problems of a cell, one per line, with a quick fix where there is one. */
export function Faults({ cell, name }: { cell: Cell; name: string }) {
  const faults = useMemo(() => faultsOf(cell), [cell]);
  // Not needed without problems; selecting it then would render this at every key press.
  const source = useCell(cell.id, (view) => (faults.length === 0 ? '' : shownSource(view, cell.id)));
  const [all, setAll] = useState(false);
  if (faults.length === 0) return null;
  const visibleFaults = all ? faults : faults.slice(0, FEW);
  return (
    <div className="faults">
      <ul className="plain-list" aria-label={W.list(name)}>
        {visibleFaults.map((fault) => (
          <FaultRow
            key={`${fault.code} ${fault.line} ${fault.message}`}
            cell={cell}
            source={source}
            fault={fault}
          />
        ))}
      </ul>
      {faults.length > FEW ? (
        <button type="button" className="fault-fix" onClick={() => setAll(!all)}>
          {all ? W.fewer : W.more(faults.length - FEW)}
        </button>
      ) : null}
    </div>
  );
}

function FaultRow({ cell, source, fault }: { cell: Cell; source: string; fault: Diagnostic }) {
  const session = useSession();
  const { severity, line, message } = fault;
  const fix = useMemo(() => fixOf(source, fault, cell), [source, fault, cell]);
  return (
    <li className={`fault fault-${severity}`} data-fault={fault.code}>
      <FaultIcon severity={severity} />
      <span className="visually-hidden">{W.severity[severity]}</span>
      {line === null ? null : (
        <button
          type="button"
          className="fault-line"
          title={W.goToLine(line)}
          onClick={() => session.markLine({ cellId: cell.id, line })}
        >
          {W.line(line)}
        </button>
      )}
      <span className="fault-words">{message}</span>
      {fix === null ? null : (
        <button type="button" className="fault-fix" onClick={() => applyFix(session, cell.id, fix)}>
          {fix.title}
        </button>
      )}
      <button
        type="button"
        className="fault-fix"
        title={ASSISTANT_WORDS.explainHint}
        onClick={() => askToExplainFault(session, cell.id, fault)}
      >
        {ASSISTANT_WORDS.explain}
      </button>
    </li>
  );
}

function FaultIcon({ severity }: { severity: Diagnostic['severity'] }) {
  const Icon = severity === 'error' ? CircleAlert : severity === 'warn' ? TriangleAlert : Info;
  return <Icon aria-hidden="true" />;
}

/** The number of problems beside the cell's name. Notes are not counted. */
export function FaultChip({ cell }: { cell: Cell }) {
  const faults = faultsOf(cell).filter(({ severity }) => severity !== 'info');
  const [worst] = faults;
  if (worst === undefined) return null;
  return (
    <Chip
      tone={worst.severity === 'error' ? 'error' : 'stale'}
      icon={<FaultIcon severity={worst.severity} />}
      title={faults.map(({ message }) => message).join('\n')}
    >
      {W.count(faults.length)}
    </Chip>
  );
}
