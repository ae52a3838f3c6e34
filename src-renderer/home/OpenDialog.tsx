import { useEffect, useState } from 'react';
import { callRoute } from '../live/rest.ts';
import { useTask } from '../live/useTask.ts';
import { TextField } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { HOME_WORDS } from '../words/home.ts';

/** Dialog of the first page that asks for the path of a notebook's folder, where there is no system dialog for it. */
export function OpenDialog(props: {
  open: boolean;
  /** The name of a dropped folder, whose path the browser does not reveal; null if none was dropped. */
  dropped: string | null;
  onClose: () => void;
  onOpened: (sessionId: string, path: string) => void;
}) {
  const { open, dropped, onClose, onOpened } = props;
  const [path, setPath] = useState('');
  const { busy, problem, run, clear } = useTask();
  useEffect(() => {
    if (!open) clear();
  }, [open, clear]);
  const submit = (): void => {
    const typedPath = path.trim();
    run(async (signal) => {
      const state = await callRoute('openNotebook', { body: { path: typedPath } }, { signal });
      onOpened(state.session_id, state.path);
    });
  };
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={HOME_WORDS.openTitle}
      description={HOME_WORDS.openAbout}
      go={HOME_WORDS.openGo}
      going={HOME_WORDS.opening}
      busy={busy}
      ready={path.trim() !== ''}
      onSubmit={submit}
    >
      {dropped === null ? null : <Notice tone="info">{HOME_WORDS.openDropped(dropped)}</Notice>}
      <TextField
        label={HOME_WORDS.openPath}
        value={path}
        mono
        placeholder={HOME_WORDS.openPlaceholder}
        spellCheck={false}
        autoComplete="off"
        problem={problem}
        {...(busy ? { hint: HOME_WORDS.openingText } : {})}
        onChange={(text) => {
          setPath(text);
          if (problem !== null) clear();
        }}
      />
    </FormDialog>
  );
}
