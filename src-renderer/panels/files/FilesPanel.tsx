/** The Files panel: the files in the notebook's folder as a tree. */

import './files.css';
import { File, FileCode2, FileCog, FolderOpen, RotateCw, Table2 } from 'lucide-react';
import { useMemo } from 'react';
import type { ListedFile } from '../../../src-shared/wire/routes/extensions.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { IconButton } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { FILES_WORDS } from '../../words/files.ts';
import { bytesText } from '../../words/strings.ts';
import { whenText } from '../../words/workbench.ts';
import { FileActions, NewFile } from './FileActions.tsx';
import { StorageSection } from './StorageSection.tsx';

/** The files in the notebook's folder, as a tree; clicking a cell's file goes to the cell. */
export function FilesPanel() {
  const sessionId = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  // Reloaded when cells are added, removed or have run, because runs may write files.
  const shape = useView((view) => view.model.order.join(' '));
  const running = useView(({ model }) =>
    model.order.some((id) => model.cells[id]?.cell.status === 'running'),
  );
  const { value, problem, loading, again } = useAnswer(
    'listFiles',
    live ? { params: { sid: sessionId } } : null,
    { subject: sessionId, key: `${shape} ${running}` },
  );
  const folders = useMemo(() => byFolder(value?.files ?? []), [value]);
  return (
    <>
      <StorageSection />
      <section className="panel-section files-head" aria-label={FILES_WORDS.folder}>
        <div className="section-title">
          <h3>{FILES_WORDS.folder}</h3>
          {loading && value !== null ? <Spinner label={null} /> : null}
          <NewFile onChange={again} />
          <IconButton label={FILES_WORDS.refresh} onClick={again} disabled={!live}>
            <RotateCw aria-hidden="true" />
          </IconButton>
        </div>
        {problem === null ? null : <Notice tone="error">{problem}</Notice>}
        {value === null && problem === null ? <Spinner /> : null}
        {value !== null && value.files.length === 0 ? (
          <EmptyState size="s" icon={<FolderOpen />} title={FILES_WORDS.empty} />
        ) : null}
      </section>
      {folders.map(({ folder, files }) => (
        <section key={folder} className="panel-section files-folder">
          {folder === '' ? null : <h3>{folder}</h3>}
          <ul className="plain-list">
            {files.map((file) => (
              <FileRow key={file.path} file={file} onChange={again} />
            ))}
          </ul>
        </section>
      ))}
      {value?.truncated === true ? <p className="panel-quiet">{FILES_WORDS.truncated}</p> : null}
    </>
  );
}

const ICONS = { cell: FileCode2, data: Table2, config: FileCog, other: File };

function FileRow({ file, onChange }: { file: ListedFile; onChange: () => void }) {
  const session = useSession();
  const Icon = ICONS[file.kind];
  const id = cellIdOf(file.path);
  const isInNotebook = useView((view) => id !== null && view.model.cells[id] !== undefined);
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const title = FILES_WORDS.details(file.path, whenText(Date.parse(file.modified_at), Date.now()));
  const body = (
    <>
      <Icon aria-hidden="true" />
      <span className="file-name">{name}</span>
      <span className="file-size">{bytesText(file.size)}</span>
    </>
  );
  return (
    <li className="file-row">
      {isInNotebook ? (
        <button type="button" className="file" title={title} onClick={() => session.focus(id)}>
          {body}
        </button>
      ) : (
        <span className="file" title={title}>
          {body}
        </span>
      )}
      <FileActions file={file} onChange={onChange} />
    </li>
  );
}

/** The cell that a file belongs to: `cells/abc.py`, and its tests, to `abc`. */
function cellIdOf(path: string): string | null {
  return /^cells\/([^/.]+)\.(?:test\.)?\w+$/.exec(path)?.[1] ?? null;
}

function byFolder(files: readonly ListedFile[]): readonly { folder: string; files: readonly ListedFile[] }[] {
  const folders = new Map<string, ListedFile[]>();
  for (const file of files) {
    const folder = file.path.includes('/') ? file.path.slice(0, file.path.lastIndexOf('/')) : '';
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [...folders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, list]) => ({ folder, files: list.sort((a, b) => (a.path < b.path ? -1 : 1)) }));
}
