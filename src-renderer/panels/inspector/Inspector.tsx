/** The inspector: the panel with details of the focused cell. */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import './inspector.css';
import { MousePointerClick } from 'lucide-react';
import { useMemo } from 'react';
import { useCellParts, useSession, useView } from '../../notebook/context.ts';
import { CELL_LANGUAGES } from '../../state/cellLanguages.ts';
import { cellName } from '../../state/cellName.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { openPromoteDialog } from '../../state/promoteDialog.ts';
import { shownModel } from '../../state/undecided.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { StatusMark } from '../../ui/StatusMark.tsx';
import { INSPECTOR_WORDS } from '../../words/inspector.ts';
import { AutoRunOfCell } from '../runs/AutoRunOfCell.tsx';
import { CellFacts } from './CellFacts.tsx';
import { CellRuns } from './CellRuns.tsx';
import { ResultVersions } from './ResultVersions.tsx';
import { SharedCode } from './SharedCode.tsx';
import { StatusExplanation } from './StatusExplanation.tsx';
import { comparableVersions, useResultVersions } from './useResultVersions.ts';

/** Details of the focused cell: the reason for its status, its inputs, its stored results. */
export function Inspector() {
  const focusedId = useView((view) => view.focusedId);
  const isInNotebook = useView((view) => focusedId !== null && view.model.cells[focusedId] !== undefined);
  if (focusedId === null || !isInNotebook) {
    return (
      <EmptyState size="s" icon={<MousePointerClick />} title={INSPECTOR_WORDS.nothing}>
        {INSPECTOR_WORDS.nothingText}
      </EmptyState>
    );
  }
  return <OfCell key={focusedId} id={focusedId} />;
}

function OfCell({ id }: { id: string }) {
  const { model, name } = useCellParts(id, (view) => ({
    model: shownModel(view, id),
    name: cellName(view.model, id),
  }));
  if (model === undefined) return null;
  const { cell } = model;
  const isText = !LANGUAGES[cell.language].runs;
  return (
    <>
      <div className="inspector-head">
        <StatusMark kind={isText ? 'text' : cell.status} />
        <span className="inspector-name">{isText ? CELL_LANGUAGES.markdown.name : name}</span>
        <span className="inspector-language">{isText ? '' : CELL_LANGUAGES[cell.language].name}</span>
      </div>
      {isText ? (
        <p className="panel-quiet">{INSPECTOR_WORDS.text}</p>
      ) : (
        <OfCode id={id} model={model} name={name} />
      )}
    </>
  );
}

function OfCode({ id, model, name }: { id: string; model: CellModel; name: string }) {
  const session = useSession();
  const keptResults = useResultVersions(id, model);
  const results = keptResults.value?.results;
  const versions = useMemo(() => comparableVersions(results ?? []), [results]);
  return (
    <>
      <StatusExplanation
        id={id}
        model={model}
        name={name}
        onCompare={versions.size === 0 ? null : () => session.compare(id)}
      />
      <SharedCode model={model} />
      {/* Loaded again when the run ends. */}
      {model.cell.status === 'running' ? null : (
        <ResultVersions
          {...keptResults}
          hasRun={model.cell.status === 'ready'}
          onPromote={Object.keys(model.cell.artifact_uris).length === 0 ? null : () => openPromoteDialog(id)}
        />
      )}
      <CellRuns runs={keptResults.value?.runs ?? []} />
      <AutoRunOfCell id={id} />
      <CellFacts model={model} />
    </>
  );
}
