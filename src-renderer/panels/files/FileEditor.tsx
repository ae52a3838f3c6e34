/** Dialog that edits a text file in the notebook's folder. */

import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { LiveEditor } from '../../editor/LiveEditor.tsx';
import type { ShownText } from '../../editor/shownText.ts';
import { callRoute, RestError } from '../../live/rest.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useView } from '../../notebook/context.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { FILES_WORDS as W } from '../../words/files.ts';

type Phase = 'idle' | 'saving' | 'asked';

/** Why a save failed. */
interface Failure {
  readonly message: string;
  /** Whether another program changed the file. */
  readonly isConflict: boolean;
}

/** A text file in the notebook's folder in a dialog; Ctrl+S saves. */
export function FileEditor({ path, onClose }: { path: string; onClose: () => void }) {
  const sid = useView((view) => view.sessionId);
  const { value, problem, again } = useAnswer(
    'readTextFile',
    { params: { sid }, query: { path } },
    {
      subject: `${sid} ${path}`,
      key: '',
    },
  );
  const text = useMemo(() => (value === null ? null : createText(value.text)), [value]);
  const saved = useRef({ text: '', sha256: '' });
  /** `again`: a save was requested while another one was in progress. */
  const writing = useRef({ isOn: false, again: false });
  const [isChanged, setChanged] = useState(false);
  const [phase, setPhase] = useState<Phase>('idle');
  const [failure, setFailure] = useState<Failure | null>(null);
  useLayoutEffect(() => {
    if (value === null) return;
    saved.current = { text: value.text, sha256: value.sha256 };
    setChanged(false);
    setFailure(null);
  }, [value]);

  /** @param base the digest that the file must still have; null replaces whatever it contains now */
  const save = async (base: string | null): Promise<void> => {
    if (text === null) return;
    const now = text.now();
    writing.current = { isOn: true, again: false };
    setPhase('saving');
    setFailure(null);
    try {
      const current = base ?? (await callRoute('readTextFile', { params: { sid }, query: { path } })).sha256;
      const body = { path, text: now, base_sha256: current };
      const { sha256 } = await callRoute('writeTextFile', { params: { sid }, body });
      saved.current = { text: now, sha256 };
      setChanged(text.now() !== now);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      writing.current.again = false;
      setFailure({ message: error.message, isConflict: error.status === 409 });
    }
    const isRequestedAgain = writing.current.again;
    writing.current = { isOn: false, again: false };
    setPhase((current) => (current === 'saving' ? 'idle' : current));
    if (isRequestedAgain) saveNow();
  };
  const hasChanges = (): boolean => text !== null && text.now() !== saved.current.text;
  const saveNow = (): void => {
    // Checked from the ref, because a key pressed right after typing arrives before the next render.
    if (writing.current.isOn) writing.current.again = true;
    else if (hasChanges()) void save(saved.current.sha256);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    saveNow();
  };
  // Closing the tab with unsaved changes asks first.
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);

  // One dialog for all states: if one replaced another, the removed one would take the focus with it.
  return (
    <Dialog
      open
      onClose={() => (hasChanges() ? setPhase('asked') : onClose())}
      title={path}
      size="l"
      footer={
        text === null ? undefined : phase === 'asked' ? (
          <>
            <div className="dialog-said">
              <Notice tone="warn">{W.unsaved}</Notice>
            </div>
            <Button onClick={() => setPhase('idle')}>{W.keepEditing}</Button>
            <Button kind="danger" onClick={onClose}>
              {W.discard}
            </Button>
            <Button kind="primary" onClick={saveNow}>
              {W.save}
            </Button>
          </>
        ) : (
          <>
            {failure === null ? null : (
              <div className="dialog-said">
                <SaveFailure failure={failure} onReload={again} onOverwrite={() => void save(null)} />
              </div>
            )}
            <Button kind="primary" disabled={!isChanged || phase === 'saving'} onClick={saveNow}>
              {phase === 'saving' ? W.saving : W.save}
            </Button>
          </>
        )
      }
    >
      {text === null ? (
        <Loading problem={problem} />
      ) : (
        <div className="file-editor" onKeyDownCapture={press}>
          <LiveEditor
            cellId={`file ${path}`}
            text={text}
            language={languageOf(path)}
            label={W.text(path)}
            caret={{ line: 1, column: 1 }}
            onType={(next) => {
              text.set(next);
              setChanged(next !== saved.current.text);
            }}
            onBlur={() => undefined}
          />
        </div>
      )}
    </Dialog>
  );
}

function Loading({ problem }: { problem: string | null }) {
  return problem === null ? <Spinner /> : <Notice tone="error">{problem}</Notice>;
}

function SaveFailure(props: { failure: Failure; onReload: () => void; onOverwrite: () => void }) {
  const { failure, onReload, onOverwrite } = props;
  if (!failure.isConflict) return <Notice tone="error">{failure.message}</Notice>;
  return (
    <Notice
      tone="error"
      actions={
        <>
          <Button onClick={onReload}>{W.reload}</Button>
          <Button kind="danger" onClick={onOverwrite}>
            {W.overwrite}
          </Button>
        </>
      }
    >
      {W.changedOnDisk}
    </Notice>
  );
}

function createText(initial: string): ShownText & { readonly set: (text: string) => void } {
  let now = initial;
  const listeners = new Set<() => void>();
  return {
    now: () => now,
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set: (text) => {
      now = text;
      for (const listener of listeners) listener();
    },
  };
}

const LANGUAGES: Readonly<Record<string, string>> = {
  py: 'python',
  r: 'r',
  md: 'markdown',
  sql: 'cellar-sql',
};

function languageOf(path: string): string {
  return LANGUAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'plaintext';
}
