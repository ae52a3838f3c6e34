/** Dialog with the earlier versions of a cell, each compared with the current text and restorable. */

import './history.css';
import { useState } from 'react';
import type { Cell, Language } from '../../../src-shared/wire/cell.ts';
import { type HistoryPart, historyPart } from '../../../src-shared/wire/routes/history.ts';
import { setCellSettings } from '../../live/cellSettings.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useTask } from '../../live/useTask.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { shownTests } from '../../state/cellTests.ts';
import { shownSource } from '../../state/notebookStore.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DiffView } from '../../ui/DiffView.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Select } from '../../ui/Select.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { toast } from '../../ui/toastStore.ts';
import { HISTORY_WORDS } from '../../words/history.ts';
import { Versions } from './Versions.tsx';

const PARTS = historyPart.options;

/** The versions of a cell by time, each compared with the current text, and buttons to restore one. */
export function HistoryDialog() {
  const session = useSession();
  const cellId = useView((view) => view.historyOf);
  const model = useView((view) => view.model);
  const [part, choosePart] = useState<HistoryPart>('source');
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
          <div className="history-choice">
            <ChooseCell cellId={cellId} />
            <Segmented
              label={HISTORY_WORDS.partOf}
              value={part}
              options={PARTS.map((one) => ({ value: one, label: HISTORY_WORDS.part[one] }))}
              onChange={choosePart}
            />
          </div>
          <CellHistory key={`${cellId} ${part}`} cellId={cellId} part={part} />
        </>
      )}
    </Dialog>
  );
}

/** Chooses a cell: the one the dialog was opened from, or a deleted one with stored versions. */
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

function CellHistory({ cellId, part }: { cellId: string; part: HistoryPart }) {
  const sessionId = useView((view) => view.sessionId);
  const isThere = useView((view) => view.model.cells[cellId] !== undefined);
  const saved = useView((view) => {
    const cell = view.model.cells[cellId]?.cell;
    return cell === undefined ? '' : savedKey(cell, part);
  });
  const [chosenVersion, choose] = useState<string | null>(null);
  const call = cellId === '' ? null : { params: { sid: sessionId, cell_id: cellId }, query: { of: part } };
  // The key contains the cell's saved text, because every save adds a version.
  const ask = { subject: `${sessionId} ${cellId} ${part}`, key: saved };
  const { value, problem, loading } = useAnswer('cellHistory', call, ask);
  if (problem !== null && isThere) return <Notice tone="error">{problem}</Notice>;
  if (value === null && loading && call !== null) return <Spinner label={HISTORY_WORDS.loading} />;
  const versions = value?.versions ?? [];
  const version =
    versions.find((one) => one.version === chosenVersion) ??
    versions.find(({ current }) => !current) ??
    versions[0];
  return (
    <>
      {value?.problem == null ? null : <Notice tone="warn">{value.problem}</Notice>}
      {version === undefined ? (
        <p className="history-none">{HISTORY_WORDS.none[part]}</p>
      ) : (
        <div className="history">
          <Versions versions={versions} chosen={version.version} onChoose={choose} />
          <OneVersion
            cellId={cellId}
            part={part}
            version={version.version}
            language={value?.language ?? 'python'}
            settings={value?.now ?? null}
          />
        </div>
      )}
    </>
  );
}

interface Shown {
  readonly cellId: string;
  readonly part: HistoryPart;
  /** The language of the cell, which may be deleted. */
  readonly language: Language;
  /** The current settings of the cell as text, while settings are shown; no other answer has them in this form. */
  readonly settings: string | null;
}

function OneVersion({ version, ...shown }: Shown & { version: string }) {
  const { cellId, part } = shown;
  const sessionId = useView((view) => view.sessionId);
  const params = { sid: sessionId, cell_id: cellId, version };
  const { value, problem } = useAnswer(
    'cellVersion',
    { params, query: { of: part } },
    { subject: `${sessionId} ${cellId} ${part} ${version}`, key: '' },
  );
  return (
    <div className="history-text" aria-live="polite">
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {value !== null ? (
        <VersionText {...shown} versionText={value.source} />
      ) : problem === null ? (
        <Spinner label={HISTORY_WORDS.loading} />
      ) : null}
    </div>
  );
}

function VersionText({ versionText, ...shown }: Shown & { versionText: string }) {
  const { cellId, part, language, settings } = shown;
  const now = useView((view) => {
    if (view.model.cells[cellId] === undefined) return null;
    if (part === 'source') return shownSource(view, cellId);
    return part === 'tests' ? shownTests(view, cellId) : settings;
  });
  return (
    <>
      {now === versionText ? (
        <p>{HISTORY_WORDS.same}</p>
      ) : (
        <DiffView
          before={versionText}
          after={now ?? versionText}
          label={now === null ? HISTORY_WORDS.wholeText : HISTORY_WORDS.difference}
          whole
        />
      )}
      {now === null ? (
        <BringBack cellId={cellId} language={language} source={part === 'source' ? versionText : null} />
      ) : now === versionText ? null : (
        <RestoreButton cellId={cellId} part={part} text={versionText} />
      )}
    </>
  );
}

function RestoreButton({ cellId, part, text }: { cellId: string; part: HistoryPart; text: string }) {
  const session = useSession();
  const sessionId = useView((view) => view.sessionId);
  const { busy, problem, run } = useTask();
  const restore = async (): Promise<void> => {
    if (part === 'source') await session.shape.writeSources(new Map([[cellId, text]]), 'restore');
    else if (part === 'tests') await session.tests.write(cellId, text);
    else await setCellSettings(sessionId, cellId, text);
    session.showHistory(null);
    toast(HISTORY_WORDS.restored[part]);
  };
  return (
    <div className="history-actions">
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      <Button kind="primary" disabled={busy} onClick={() => run(restore)}>
        {HISTORY_WORDS.restore[part]}
      </Button>
    </div>
  );
}

/**
 * Restores a deleted cell, or adds its text as a new cell.
 * @param props.source the text of the new cell; null while no text of the cell is shown
 */
function BringBack(props: { cellId: string; language: Language; source: string | null }) {
  const { cellId, language, source } = props;
  const session = useSession();
  const last = useView((view) => view.focusedId);
  // If the cell was not restored, the page shows the reason.
  const onRestored = (isBack: boolean): void => {
    session.showHistory(null);
    if (isBack) toast(HISTORY_WORDS.restored.source);
  };
  return (
    <div className="history-actions">
      <Button
        kind="primary"
        onClick={() => {
          void session.shape.bringBack(cellId).then(onRestored);
        }}
      >
        {HISTORY_WORDS.restoreCell}
      </Button>
      {source === null ? null : (
        <Button
          onClick={() => {
            void session.shape
              .insertCells([{ language, source }], { afterId: last, deed: 'restore' })
              .then(onRestored);
          }}
        >
          {HISTORY_WORDS.asNewCell}
        </Button>
      )}
    </div>
  );
}

/** A text that changes whenever a new version of the part is saved. */
function savedKey(cell: Cell, part: HistoryPart): string {
  if (part === 'source') return cell.source;
  if (part === 'tests') return cell.test_source;
  const { worker_override, timeout_override, env_overrides, mount_overrides } = cell;
  return JSON.stringify([worker_override, timeout_override, env_overrides, mount_overrides]);
}
