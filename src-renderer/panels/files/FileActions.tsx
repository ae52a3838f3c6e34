/** The buttons of a file in the Files panel (open, rename, move, delete), and the button that creates a file. */

import { Ellipsis, FilePlus2 } from 'lucide-react';
import { useState } from 'react';
import type { ListedFile } from '../../../src-shared/wire/routes/extensions.ts';
import { callRoute } from '../../live/rest.ts';
import { useTask } from '../../live/useTask.ts';
import { useView } from '../../notebook/context.ts';
import { IconButton } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { FILES_WORDS as W } from '../../words/files.ts';
import { FileEditor } from './FileEditor.tsx';

/** The notebook's own files, which are edited elsewhere in the window. */
const NOTEBOOKS_OWN = new Set(['notebook.toml', 'pyproject.toml', 'uv.lock', 'renv.lock']);
/** Extensions of files that certainly contain no text; for others, the server decides. */
const NO_TEXT =
  /\.(?:parquet|arrow|feather|ipc|xlsx?|ods|db|sqlite3?|duckdb|h5|hdf5|nc|np[yz]|gz|zip|zst|png|jpe?g|gif|webp|tiff?|wav|mp3|pdf)$/i;
const MAX_TEXT_BYTES = 1024 * 1024;

/** Buttons of a file that belongs to the user. */
export function FileActions({ file, onChange }: { file: ListedFile; onChange: () => void }) {
  const [open, setOpen] = useState<'edit' | 'move' | null>(null);
  const { path } = file;
  if (file.kind === 'cell' || NOTEBOOKS_OWN.has(path)) return null;
  const isText = !NO_TEXT.test(path) && file.size <= MAX_TEXT_BYTES;
  return (
    <>
      <Menu
        label={W.more(path)}
        align="end"
        trigger={
          <IconButton label={W.more(path)}>
            <Ellipsis aria-hidden="true" />
          </IconButton>
        }
        items={[
          { kind: 'item', label: W.editItem, disabled: !isText, onSelect: () => setOpen('edit') },
          { kind: 'item', label: W.moveItem, onSelect: () => setOpen('move') },
        ]}
      />
      {open === 'edit' ? (
        <FileEditor
          path={path}
          onClose={() => {
            setOpen(null);
            onChange();
          }}
        />
      ) : null}
      {open === 'move' ? (
        <MoveDialog
          path={path}
          onClose={() => setOpen(null)}
          onMoved={() => {
            setOpen(null);
            onChange();
          }}
        />
      ) : null}
    </>
  );
}

function MoveDialog(props: { path: string; onClose: () => void; onMoved: () => void }) {
  const { path, onClose, onMoved } = props;
  const sid = useView((view) => view.sessionId);
  const [to, setTo] = useState(path);
  const task = useTask();
  return (
    <FormDialog
      open
      onClose={onClose}
      title={W.move(path)}
      go={W.moveGo}
      going={W.moving}
      busy={task.busy}
      ready={to.trim() !== '' && to.trim() !== path}
      said={task.problem === null ? null : <Notice tone="error">{task.problem}</Notice>}
      onSubmit={() =>
        task.run(async (signal) => {
          await callRoute('moveFile', { params: { sid }, body: { from: path, to: to.trim() } }, { signal });
          onMoved();
        })
      }
    >
      <TextField label={W.path} value={to} onChange={setTo} mono hint={W.moveHint} />
    </FormDialog>
  );
}

/** Creates an empty file and opens it. */
export function NewFile({ onChange }: { onChange: () => void }) {
  const sid = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const [open, setOpen] = useState<'name' | 'edit' | null>(null);
  const [path, setPath] = useState('');
  const task = useTask();
  const name = path.trim();
  return (
    <>
      <IconButton
        label={W.newFile}
        disabled={!live}
        onClick={() => {
          task.clear();
          setPath('');
          setOpen('name');
        }}
      >
        <FilePlus2 aria-hidden="true" />
      </IconButton>
      {open === 'name' ? (
        <FormDialog
          open
          onClose={() => setOpen(null)}
          title={W.newFile}
          go={W.createGo}
          going={W.creating}
          busy={task.busy}
          ready={name !== ''}
          said={task.problem === null ? null : <Notice tone="error">{task.problem}</Notice>}
          onSubmit={() =>
            task.run(async (signal) => {
              const body = { path: name, text: '', base_sha256: null };
              await callRoute('writeTextFile', { params: { sid }, body }, { signal });
              setOpen('edit');
              onChange();
            })
          }
        >
          <TextField label={W.path} value={path} onChange={setPath} mono hint={W.newHint} />
        </FormDialog>
      ) : null}
      {open === 'edit' ? (
        <FileEditor
          path={name}
          onClose={() => {
            setOpen(null);
            onChange();
          }}
        />
      ) : null}
    </>
  );
}
