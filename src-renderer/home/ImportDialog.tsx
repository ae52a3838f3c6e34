/** Dialog that imports a file as a new notebook. */

import { useEffect, useRef, useState } from 'react';
import { RestError } from '../live/rest.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { pickFile } from '../ui/pickFile.ts';
import { Spinner } from '../ui/Spinner.tsx';
import { HOME_WORDS } from '../words/home.ts';
import { type ImportedNotebook, importFile } from './importFile.ts';
import { ReportView } from './ReportView.tsx';

type Stage =
  | { readonly kind: 'asking'; readonly problem: string | null }
  | { readonly kind: 'importing'; readonly name: string }
  | { readonly kind: 'done'; readonly made: ImportedNotebook };

/** Creates a notebook from a file that was dropped or is selected here, and shows the import report. */
export function ImportDialog(props: {
  open: boolean;
  /** The dropped file; null if the user selects one. */
  dropped: File | null;
  onClose: () => void;
  onImported: (sessionId: string, path: string, cellId?: string) => void;
}) {
  const { open, dropped, onClose, onImported } = props;
  const [stage, setStage] = useState<Stage>({ kind: 'asking', problem: null });
  const running = useRef<AbortController | null>(null);
  const begin = async (file: File): Promise<void> => {
    const stop = new AbortController();
    running.current = stop;
    setStage({ kind: 'importing', name: file.name });
    try {
      const imported = await importFile(file, stop.signal);
      if (!stop.signal.aborted) setStage({ kind: 'done', made: imported });
    } catch (error) {
      if (stop.signal.aborted) return;
      if (!(error instanceof RestError)) console.error('an import was interrupted', error);
      const problem = error instanceof RestError ? error.message : HOME_WORDS.importBroken;
      setStage({ kind: 'asking', problem });
    }
  };
  const starting = useRef(begin);
  starting.current = begin;
  useEffect(() => {
    if (!open) return;
    setStage({ kind: 'asking', problem: null });
    if (dropped !== null) void starting.current(dropped);
    return () => running.current?.abort();
  }, [open, dropped]);
  const choose = async (): Promise<void> => {
    const file = await pickFile('.ipynb,.zip');
    if (file !== null) await begin(file);
  };
  const stop = (): void => {
    running.current?.abort();
    setStage({ kind: 'asking', problem: null });
  };
  const footer =
    stage.kind === 'asking' ? (
      <Button kind="primary" onClick={() => void choose()}>
        {HOME_WORDS.importChoose}
      </Button>
    ) : stage.kind === 'importing' ? (
      <Button onClick={stop}>{HOME_WORDS.importStop}</Button>
    ) : (
      <Button kind="primary" onClick={() => onImported(stage.made.sessionId, stage.made.path)}>
        {HOME_WORDS.importOpen}
      </Button>
    );
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="m"
      title={stage.kind === 'done' ? HOME_WORDS.imported(stage.made.name) : HOME_WORDS.importTitle}
      description={stage.kind === 'done' ? stage.made.path : HOME_WORDS.importText}
      footer={footer}
    >
      {stage.kind === 'asking' && stage.problem !== null ? (
        <Notice tone="error">{stage.problem}</Notice>
      ) : null}
      {stage.kind === 'importing' ? (
        <p className="form-note" role="status">
          <Spinner label={null} /> {HOME_WORDS.importingFile(stage.name)}
        </p>
      ) : null}
      {stage.kind === 'done' ? (
        <ReportView
          report={stage.made.report}
          onCell={(cellId) => onImported(stage.made.sessionId, stage.made.path, cellId)}
        />
      ) : null}
    </Dialog>
  );
}
