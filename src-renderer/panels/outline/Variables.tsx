/** The list of computed variables in the Outline panel, with shape, type and size. */

import { Eye, Table2 } from 'lucide-react';
import { useState } from 'react';
import { useSession, useViewSame } from '../../notebook/context.ts';
import { sameVariables, type VariableRow, variableRows } from '../../state/outline.ts';
import { IconButton } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { bytesText } from '../../words/strings.ts';
import { WORKBENCH } from '../../words/workbench.ts';
import { type DescribedVariable, useShapes } from './useShapes.ts';
import { type OpenVariable, VariableDialog } from './VariableDialog.tsx';
import { foundVariables } from './variableFacts.ts';

/** How many variables are shown at first; a button shows the rest. */
const FEW = 40;
/** The search field is shown from this many variables on. */
const SEARCHED = 6;
const UNKNOWN: DescribedVariable = { shape: '', facts: null };

/**
 * The variables that cells have computed, with shape, type and size. A click goes to the cell, and a button shows the
 * value.
 */
export function Variables() {
  const rows = useViewSame((view) => variableRows(view.model), sameVariables);
  const [all, setAll] = useState(false);
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState<OpenVariable | null>(null);
  const shapesByName = useShapes(rows);
  const shapeOf = ({ name }: VariableRow): string => shapesByName.get(name)?.shape ?? '';
  // A name that no cell reads (an import, a constant) is not stored: only its name can be shown.
  const isKept = (row: VariableRow): boolean => row.uri !== null || shapeOf(row) !== '';
  const describedRows = rows.filter(isKept);
  const others = rows.filter((row) => !isKept(row)).map(({ name }) => name);
  const searched = describedRows.map((row) => {
    const { shape, facts } = shapesByName.get(row.name) ?? UNKNOWN;
    return { row, name: row.name, words: `${facts?.type ?? ''} ${shape}` };
  });
  const matches = foundVariables(searched, typed).map(({ row }) => row);
  const visibleVariables = all ? matches : matches.slice(0, FEW);
  return (
    <section className="panel-section variables">
      <h3>{WORKBENCH.variables}</h3>
      {rows.length === 0 ? <p className="panel-quiet">{WORKBENCH.variablesEmpty}</p> : null}
      {describedRows.length < SEARCHED ? null : (
        <TextField
          label={WORKBENCH.findVariable}
          hideLabel
          placeholder={WORKBENCH.search}
          value={typed}
          onChange={setTyped}
        />
      )}
      {visibleVariables.length === 0 ? null : (
        <ul className="plain-list">
          {visibleVariables.map((row) => (
            <Variable
              key={row.name}
              row={row}
              known={shapesByName.get(row.name) ?? UNKNOWN}
              onOpen={setOpen}
            />
          ))}
        </ul>
      )}
      {describedRows.length > 0 && matches.length === 0 ? (
        <p className="panel-quiet">{WORKBENCH.noVariable}</p>
      ) : null}
      {others.length === 0 || typed.trim() !== '' ? null : (
        <p className="panel-quiet variables-others" title={others.join(', ')}>
          {WORKBENCH.otherNames(others.slice(0, FEW).join(', '))}
        </p>
      )}
      {matches.length > FEW ? (
        <button type="button" className="link-btn" onClick={() => setAll(!all)}>
          {all ? WORKBENCH.fewerVariables : WORKBENCH.allVariables(matches.length)}
        </button>
      ) : null}
      <VariableDialog open={open} onClose={() => setOpen(null)} />
    </section>
  );
}

function Variable(props: {
  row: VariableRow;
  known: DescribedVariable;
  onOpen: (open: OpenVariable) => void;
}) {
  const { row, known, onOpen } = props;
  const { shape, facts } = known;
  const session = useSession();
  const more = [facts?.type ?? '', facts?.bytes == null ? '' : bytesText(facts.bytes)].filter(
    // Words that the shape already contains are left out.
    (word) => word !== '' && word !== shape,
  );
  const canOpen = facts !== null && (facts.preview !== null || (facts.isTable && row.uri !== null));
  return (
    <li className="variable-row">
      <button type="button" className="variable" onClick={() => session.focus(row.cellId)}>
        <span className="variable-line">
          <span className="variable-name">{row.name}</span>
          <span className="variable-shape">{shape}</span>
        </span>
        {more.length === 0 ? null : <small>{more.join(' · ')}</small>}
      </button>
      {canOpen ? (
        <IconButton label={WORKBENCH.showVariable(row.name)} onClick={() => onOpen({ row, facts, shape })}>
          {facts.isTable ? <Table2 /> : <Eye />}
        </IconButton>
      ) : null}
    </li>
  );
}
