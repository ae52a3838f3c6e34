/** The section of the Data panel that lists the files in the notebook's folder that a cell can read. */

import '../files/files.css';
import { Database, Image, Table2 } from 'lucide-react';
import { useContext } from 'react';
import { type FileUse, fileUse } from '../../../src-shared/notebook/dataFiles.ts';
import type { ListedFile } from '../../../src-shared/wire/routes/extensions.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useView } from '../../notebook/context.ts';
import { Notice } from '../../ui/Notice.tsx';
import { DATA_WORDS as W } from '../../words/data.ts';
import { bytesText } from '../../words/strings.ts';
import { DataActionsContext, type DataSubject } from './dataSubject.ts';
import { RowActions } from './RowActions.tsx';

const ICONS = { table: Table2, database: Database, picture: Image } as const;

/** The files in the notebook's folder that a cell can read; a click shows their first rows. */
export function DataFiles() {
  const sid = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  // Reloaded when cells or results change: new files come from a dropped file's cell or from a run.
  const shape = useView(({ model }) =>
    model.order.map((id) => `${id} ${model.cells[id]?.cell.status === 'running'}`).join(' '),
  );
  const { value, problem } = useAnswer('listFiles', live ? { params: { sid } } : null, {
    subject: sid,
    key: shape,
  });
  const files = (value?.files ?? []).flatMap((file) => {
    const use = file.kind === 'data' ? fileUse(file.path) : null;
    return use === null ? [] : [{ file, use }];
  });
  return (
    <section className="panel-section" aria-label={W.files}>
      <h3>{W.files}</h3>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {value !== null && files.length === 0 ? <p className="panel-quiet">{W.noFiles}</p> : null}
      <ul className="plain-list">
        {files.map(({ file, use }) => (
          <FileRow key={file.path} file={file} use={use} />
        ))}
      </ul>
    </section>
  );
}

function FileRow({ file, use }: { readonly file: ListedFile; readonly use: FileUse }) {
  const acts = useContext(DataActionsContext);
  const Icon = ICONS[use];
  const subject: DataSubject = { of: 'file', path: file.path };
  const hasRows = use === 'table' && /\.(?:csv|tsv|parquet|json|jsonl|ndjson)(?:\.gz)?$/i.test(file.path);
  const body = (
    <>
      <Icon aria-hidden="true" />
      <span className="file-name">{file.path}</span>
      <span className="file-size">{bytesText(file.size)}</span>
    </>
  );
  return (
    <li className="data-file" data-file={file.path}>
      {hasRows ? (
        <button
          type="button"
          className="file"
          aria-label={W.preview(file.path)}
          title={file.path}
          onClick={() => acts.preview(subject)}
        >
          {body}
        </button>
      ) : (
        <span className="file" title={file.path}>
          {body}
        </span>
      )}
      <RowActions subject={subject} shows={false} />
    </li>
  );
}
