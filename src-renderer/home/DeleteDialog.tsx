/** Dialog that asks before a notebook is deleted: lists what is removed and requires the notebook's name. */

import { useEffect, useState } from 'react';
import { callRoute } from '../live/rest.ts';
import { useTask } from '../live/useTask.ts';
import { TextField } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { HOME_WORDS } from '../words/home.ts';
import type { NotebookPlace } from './notebookPlace.ts';

/** Lists what a deletion removes, and asks the user to type the notebook's name. */
export function DeleteDialog(props: {
  place: NotebookPlace | null;
  onClose: () => void;
  onDeleted: (place: NotebookPlace) => void;
}) {
  const { place, onClose, onDeleted } = props;
  const [typed, setTyped] = useState('');
  const { busy, problem, run, clear } = useTask();
  useEffect(() => {
    if (place !== null) return;
    setTyped('');
    clear();
  }, [place, clear]);
  const name = place?.name.trim() || HOME_WORDS.untitled;
  const same = typed.trim() === name;
  const submit = (): void => {
    if (place === null) return;
    run(async (signal) => {
      if (place.sessionId === null) {
        await callRoute('deleteNotebookByPath', { body: { path: place.path } }, { signal });
      } else {
        await callRoute('deleteNotebook', { params: { sid: place.sessionId } }, { signal });
      }
      onDeleted(place);
    });
  };
  return (
    <FormDialog
      open={place !== null}
      onClose={onClose}
      title={HOME_WORDS.deleteTitle(name)}
      description={HOME_WORDS.deleteText}
      go={HOME_WORDS.deleteGo}
      going={HOME_WORDS.deleting}
      busy={busy}
      ready={same}
      danger
      onSubmit={submit}
    >
      <p className="delete-path">
        <bdi>{place?.path}</bdi>
      </p>
      <ul className="delete-what">
        {HOME_WORDS.deleteWhat.map((what) => (
          <li key={what}>{what}</li>
        ))}
      </ul>
      {place?.sessionId === null ? null : <Notice tone="warn">{HOME_WORDS.deleteOpen}</Notice>}
      <TextField
        label={HOME_WORDS.deleteType(name)}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        problem={problem}
        onChange={setTyped}
      />
    </FormDialog>
  );
}
