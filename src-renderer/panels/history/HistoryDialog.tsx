import './history.css';
import { useState } from 'react';
import type { AnswerOf } from '../../live/rest.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { shownSource } from '../../state/notebookStore.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DiffView } from '../../ui/DiffView.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Select } from '../../ui/Select.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { toast } from '../../ui/toastStore.ts';
import { HISTORY_WORDS } from '../../ui/words/history.ts';
import { Versions } from './Versions.tsx';

/** What a cell was: its versions by time, each beside the text of now, and the way back to it. */
export function HistoryDialog() {
  const session = useSession();
  const cellId = useView((view) => view.historyOf);
  const model = useView((view) => view.model);
  const name = cellId !== null && model.cells[cellId] !== undefined ? cellName(model, cellId) : null;
  return (
    <Dialog
      open={cellId !== null}
      onClose={() => session.showHistory(null)}
      size="l"
      title={name === null ? HISTORY_WORDS.versions : HISTORY_WORDS.title(name)}
    >
      {cellId === null ? null : (
        <>
          <ChooseCell cellId={cellId} />
          <CellHistory key={cellId} cellId={cellId} />
        </>
      )}
    </Dialog>
  );
}

/** The cell it came from, and the deleted ones something is kept of. */
function ChooseCell({ cellId }: { cellId: string }) {
  const session = useSession();
  const sessionId = useView((view) => view.sessionId);
  const model = useView((view) => view.model);
  const { value } = useAnswer(
    'notebookHistory',
    { params: { sid: sessionId } },
    { subject: sessionId, key: '' },
  );
  const deleted = value?.cells.filter(({ cell_id }) => model.cells[cell_id] === undefined) ?? [];
  if (deleted.length === 0) return null;
  const options = [
    ...model.order.map((id) => ({ value: id, label: cellName(model, id) })),
    ...deleted.map(({ cell_id, title }) => ({ value: cell_id, label: HISTORY_WORDS.deletedCell(title) })),
  ];
  return (
    <Select
      label={HISTORY_WORDS.cell}
      value={cellId}
      options={options}
      onChange={(id) => session.showHistory(id)}
    />
  );
}

function CellHistory({ cellId }: { cellId: string }) {
  const sessionId = useView((view) => view.sessionId);
  const isThere = useView((view) => view.model.cells[cellId] !== undefined);
  const saved = useView((view) => view.model.cells[cellId]?.cell.source ?? null);
  const [chosen, choose] = useState<string | null>(null);
  const call = cellId === '' ? null : { params: { sid: sessionId, cell_id: cellId } };
  // The cell's saved text is the key: a save is a version more.
  const ask = { subject: `${sessionId} ${cellId}`, key: saved ?? '' };
  const { value, problem, loading } = useAnswer('cellHistory', call, ask);
  if (problem !== null && isThere) return <Notice tone="error">{problem}</Notice>;
  if (value === null && loading && call !== null) return <Spinner label={HISTORY_WORDS.loading} />;
  const versions = value?.versions ?? [];
  const version =
    versions.find((one) => one.version === chosen) ?? versions.find(({ current }) => !current) ?? versions[0];
  return (
    <>
      {value?.problem == null ? null : <Notice tone="warn">{value.problem}</Notice>}
      {version === undefined ? (
        <p className="history-none">{HISTORY_WORDS.none}</p>
      ) : (
        <div className="history">
          <Versions versions={versions} chosen={version.version} onChoose={choose} />
          <OneVersion cellId={cellId} version={version.version} />
        </div>
      )}
    </>
  );
}

function OneVersion({ cellId, version }: { cellId: string; version: string }) {
  const sessionId = useView((view) => view.sessionId);
  const params = { sid: sessionId, cell_id: cellId, version };
  const { value, problem } = useAnswer(
    'cellVersion',
    { params },
    { subject: `${sessionId} ${cellId} ${version}`, key: '' },
  );
  return (
    <div className="history-text" aria-live="polite">
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {value !== null ? (
        <VersionText cellId={cellId} found={value} />
      ) : problem === null ? (
        <Spinner label={HISTORY_WORDS.loading} />
      ) : null}
    </div>
  );
}

function VersionText({ cellId, found }: { cellId: string; found: AnswerOf<'cellVersion'> }) {
  const now = useView((view) => (view.model.cells[cellId] === undefined ? null : shownSource(view, cellId)));
  return (
    <>
      {now === found.source ? (
        <p>{HISTORY_WORDS.same}</p>
      ) : (
        <DiffView
          before={found.source}
          after={now ?? found.source}
          label={now === null ? HISTORY_WORDS.wholeText : HISTORY_WORDS.difference}
          whole
        />
      )}
      <RestoreButtons cellId={cellId} source={found.source} now={now} />
    </>
  );
}

function RestoreButtons(props: { cellId: string; source: string; now: string | null }) {
  const { cellId, source, now } = props;
  const session = useSession();
  const last = useView((view) => view.focusedId);
  const done = (): void => {
    session.showHistory(null);
    toast(HISTORY_WORDS.restored);
  };
  if (now !== null) {
    if (now === source) return null;
    return (
      <div className="history-actions">
        <Button
          kind="primary"
          onClick={() => {
            void session.shape.writeSources(new Map([[cellId, source]]), 'restore').then(done);
          }}
        >
          {HISTORY_WORDS.restore}
        </Button>
      </div>
    );
  }
  return (
    <div className="history-actions">
      <Button
        kind="primary"
        onClick={() => {
          void session.shape.bringBack(cellId).then((isBack) => {
            if (isBack) done();
            else session.showHistory(null);
          });
        }}
      >
        {HISTORY_WORDS.restoreCell}
      </Button>
      <Button
        onClick={() => {
          const cells = [{ language: 'python', source }] as const;
          void session.shape.insertCells(cells, { afterId: last, deed: 'restore' }).then(done);
        }}
      >
        {HISTORY_WORDS.asNewCell}
      </Button>
    </div>
  );
}
