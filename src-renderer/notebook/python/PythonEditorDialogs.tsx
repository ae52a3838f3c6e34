/** Dialogs of the Python editor: rename a name, list the uses of a name, show a file outside the cells. */

import './pythonEditorDialogs.css';
import { useState } from 'react';
import type { LanguageAnswer, LanguagePlace } from '../../../src-shared/wire/routes/language.ts';
import { NO_FAULTS } from '../../editor/editorFault.ts';
import { StaticCode } from '../../editor/StaticCode.tsx';
import { cellName } from '../../state/cellName.ts';
import { shownSource } from '../../state/notebookStore.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { LANGUAGE_WORDS } from '../../words/language.ts';
import { useSession } from '../context.ts';
import { showLanguageDialog, useLanguageDialog } from './languageDialog.ts';
import { goToPlace } from './pythonContextOf.ts';
import { renamedSources } from './renamedSources.ts';

const close = (): void => showLanguageDialog(null);

/** The dialogs of the Python editor: a new name, the uses of a name, a file outside the cells. */
export function PythonEditorDialogs() {
  const dialog = useLanguageDialog();
  if (dialog === null) return null;
  if (dialog.kind === 'rename') return <RenameDialog name={dialog.name} ask={dialog.ask} />;
  return dialog.kind === 'file' ? (
    <FileDialog place={dialog.place} />
  ) : (
    <UsesDialog name={dialog.name} places={dialog.places} />
  );
}

function RenameDialog({
  name,
  ask,
}: {
  name: string;
  ask: (newName: string) => Promise<LanguageAnswer | null>;
}) {
  const session = useSession();
  const [next, setNext] = useState(name);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (): Promise<void> => {
    setBusy(true);
    const answer = await ask(next);
    setBusy(false);
    const edits = answer?.edits ?? [];
    if (answer === null || edits.length === 0) {
      setProblem(answer?.words ?? LANGUAGE_WORDS.unreachable);
      return;
    }
    const view = session.store.getState();
    const sources = renamedSources(edits, name, (id) =>
      view.model.cells[id] === undefined ? undefined : shownSource(view, id),
    );
    if (sources === null) {
      setProblem(LANGUAGE_WORDS.renameChanged);
      return;
    }
    // Leave the editor, because Ctrl+Z in it would undo the change in this cell only.
    session.focus(view.focusedId, 'command');
    close();
    await session.shape.writeSources(sources, 'rename');
    session.say(LANGUAGE_WORDS.renamed(next, sources.size), { undo: true });
  };
  return (
    <FormDialog
      open
      onClose={close}
      title={LANGUAGE_WORDS.renameTitle(name)}
      description={LANGUAGE_WORDS.renameHint}
      go={LANGUAGE_WORDS.renameGo}
      going={LANGUAGE_WORDS.renaming}
      busy={busy}
      ready={next !== '' && next !== name}
      onSubmit={() => void submit()}
    >
      <TextField
        label={LANGUAGE_WORDS.newName}
        value={next}
        onChange={(value) => {
          setNext(value);
          setProblem(null);
        }}
        onFocus={(event) => event.target.select()}
        problem={problem}
        mono
      />
    </FormDialog>
  );
}

function UsesDialog({ name, places }: { name: string; places: readonly LanguagePlace[] }) {
  const session = useSession();
  const view = session.store.getState();
  return (
    <Dialog open onClose={close} title={LANGUAGE_WORDS.uses(name)}>
      <ul className="language-uses" aria-label={LANGUAGE_WORDS.usesOf}>
        {places.map((place) => {
          const { line, character } = place.span.start;
          const where = place.in === 'cell' ? cellName(view.model, place.cell_id) : place.path;
          const text =
            place.in === 'cell'
              ? shownSource(view, place.cell_id).split('\n')[line]
              : place.text.split('\n')[line - place.first_line];
          return (
            <li key={`${where} ${line} ${character}`}>
              <button
                type="button"
                onClick={() => {
                  close();
                  goToPlace(session, place);
                }}
              >
                <span className="language-use-place">{LANGUAGE_WORDS.use(where, line + 1)}</span>
                <code>{text?.trim() ?? ''}</code>
              </button>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

function FileDialog({ place }: { place: Extract<LanguagePlace, { in: 'file' }> }) {
  return (
    <Dialog
      open
      onClose={close}
      size="l"
      title={LANGUAGE_WORDS.definitionIn(place.path)}
      description={LANGUAGE_WORDS.readOnly}
    >
      <div className="language-file">
        <StaticCode
          source={place.text}
          language="python"
          markedLine={place.span.start.line - place.first_line + 1}
          placeholder=""
          scrolls
          label={place.path}
          faults={NO_FAULTS}
        />
      </div>
    </Dialog>
  );
}
