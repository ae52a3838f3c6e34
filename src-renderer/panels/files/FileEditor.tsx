import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
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

/** A text file of the notebook's folder in a window of its own; Ctrl+S saves. */
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
  if (value === null)
    return (
      <Dialog open onClose={onClose} title={path} size="l">
        {problem === null ? <Spinner /> : <Notice tone="error">{problem}</Notice>}
      </Dialog>
    );
  return (
    <OpenFile key={value.sha256} sid={sid} path={path} file={value} onClose={onClose} onReload={again} />
  );
}

function OpenFile(props: {
  sid: string;
  path: string;
  file: { readonly text: string; readonly sha256: string };
  onClose: () => void;
  onReload: () => void;
}) {
  const { sid, path, file, onClose, onReload } = props;
  const text = useMemo(() => createText(file.text), [file]);
  const saved = useRef({ text: file.text, sha256: file.sha256 });
  const [isChanged, setChanged] = useState(false);
  const [phase, setPhase] = useState<Phase>('idle');
  const [problem, setProblem] = useState<{ readonly message: string; readonly isConflict: boolean } | null>(
    null,
  );

  /** @param base the digest that the file must have; null: whatever it has now is replaced */
  const save = async (base: string | null): Promise<void> => {
    const now = text.now();
    setPhase('saving');
    setProblem(null);
    try {
      const current = base ?? (await callRoute('readTextFile', { params: { sid }, query: { path } })).sha256;
      const body = { path, text: now, base_sha256: current };
      const { sha256 } = await callRoute('writeTextFile', { params: { sid }, body });
      saved.current = { text: now, sha256 };
      setChanged(text.now() !== now);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      setProblem({ message: error.message, isConflict: error.status === 409 });
    }
    setPhase('idle');
  };
  const hasChanges = (): boolean => text.now() !== saved.current.text;
  const saveNow = (): void => {
    // The text itself decides: a key pressed right after typing comes before the next render.
    if (phase !== 'saving' && hasChanges()) void save(saved.current.sha256);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    saveNow();
  };
  // A tab that is closed with changes asks first, as the browser does for a form.
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);

  return (
    <Dialog
      open
      onClose={() => (hasChanges() ? setPhase('asked') : onClose())}
      title={path}
      size="l"
      footer={
        phase === 'asked' ? (
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
            {problem === null ? null : (
              <div className="dialog-said">
                <Problem problem={problem} onReload={onReload} onOverwrite={() => void save(null)} />
              </div>
            )}
            <Button kind="primary" disabled={!isChanged || phase === 'saving'} onClick={saveNow}>
              {phase === 'saving' ? W.saving : W.save}
            </Button>
          </>
        )
      }
    >
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
    </Dialog>
  );
}

function Problem(props: {
  problem: { readonly message: string; readonly isConflict: boolean };
  onReload: () => void;
  onOverwrite: () => void;
}) {
  const { problem, onReload, onOverwrite } = props;
  if (!problem.isConflict) return <Notice tone="error">{problem.message}</Notice>;
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
