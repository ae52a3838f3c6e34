import { useState } from 'react';
import type { KeptResult } from '../../../src-shared/wire/routes/extensions.ts';
import { useView } from '../../notebook/context.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { Notice } from '../../ui/Notice.tsx';
import { bytesText } from '../../ui/strings.ts';
import { INSPECTOR_WORDS } from '../../ui/words/inspector.ts';
import { whenText } from '../../ui/words/workbench.ts';
import { shortCount } from '../outline/shapeText.ts';
import { useAnswer } from '../useAnswer.ts';

const FEW = 8;

/** Every version of what the cell's runs left, newest first; one of each variable is what readers get now. */
export function KeptResults({ id, model }: { id: string; model: CellModel }) {
  const sessionId = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const [all, setAll] = useState(false);
  const { cell } = model;
  const { value, problem } = useAnswer(
    'cellResults',
    live && cell.status !== 'running' ? { params: { sid: sessionId, cell_id: id } } : null,
    { subject: `${sessionId} ${id}`, key: JSON.stringify([cell.status, cell.artifact_uris]) },
  );
  const results = value?.results ?? [];
  const shown = all ? results : results.slice(0, FEW);
  const variables = new Set(results.map((result) => result.variable));
  return (
    <section className="panel-section">
      <h3>{INSPECTOR_WORDS.results}</h3>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {value !== null && results.length === 0 ? (
        <p className="panel-quiet">{INSPECTOR_WORDS.noResults}</p>
      ) : null}
      <ul className="plain-list">
        {shown.map((result) => (
          <Result key={result.artifact_uri} result={result} named={variables.size > 1} />
        ))}
      </ul>
      {results.length > FEW && !all ? (
        <button type="button" className="link-btn" onClick={() => setAll(true)}>
          {INSPECTOR_WORDS.loadMore(results.length)}
        </button>
      ) : null}
    </section>
  );
}

function Result({ result, named }: { result: KeptResult; named: boolean }) {
  const when = whenText(Date.parse(result.created_at), Date.now());
  return (
    <li className={result.current ? 'kept kept-now' : 'kept'} title={result.artifact_uri}>
      <span className="kept-what">
        {named ? <b>{result.variable}</b> : null} {INSPECTOR_WORDS.version(result.version)} · {when}
        {result.current ? `, ${INSPECTOR_WORDS.shown}` : ''}
      </span>
      <span className="kept-size">{sizeOf(result)}</span>
    </li>
  );
}

function sizeOf({ rows, columns, byte_size }: KeptResult): string {
  const shape =
    rows === null ? '' : `${shortCount(rows)}${columns === null ? '' : ` × ${columns.length}`} · `;
  return `${shape}${bytesText(byte_size)}`;
}
