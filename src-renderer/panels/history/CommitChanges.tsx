/** Lists the changes of the notebook's files since the last Git commit, in the History panel. */

import { useState } from 'react';
import type { SinceCommitView } from '../../../src-shared/wire/routes/history.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import type { NotebookModel } from '../../state/notebookModel.ts';
import { agoText } from '../../ui/ago.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { DiffView } from '../../ui/DiffView.tsx';
import { HISTORY_WORDS as W } from '../../words/history.ts';

type Change = SinceCommitView['changes'][number];

/**
 * The changes since the last commit of the folder's Git repository, each file with its difference. Renders nothing
 * outside a repository.
 * @param props.contentKey the changes are loaded again when it changes
 */
export function CommitChanges({ sid, contentKey, now }: { sid: string; contentKey: string; now: number }) {
  const live = useView((view) => view.link.kind === 'live');
  const trusted = useView(({ model }) => model.meta?.untrusted === undefined);
  const model = useView((view) => view.model);
  const [shownPath, show] = useState<string | null>(null);
  const { value } = useAnswer('sinceCommit', live && trusted ? { params: { sid } } : null, {
    subject: sid,
    key: contentKey,
  });
  if (value === null || value.commit === null) return null;
  const { commit, changes, truncated } = value;
  const change = changes.find(({ path }) => path === shownPath);
  return (
    <section className="panel-section" aria-label={W.sinceCommit}>
      <h3>{W.sinceCommit}</h3>
      <p className="panel-quiet">{W.commit(commit.subject, agoText(Date.parse(commit.at), now))}</p>
      {changes.length === 0 ? <p className="panel-quiet">{W.unchanged}</p> : null}
      <ul className="history-timeline">
        {changes.map((one) => (
          <li key={one.path}>
            <button type="button" className="history-version" onClick={() => show(one.path)}>
              {titleOf(one, model)}
              <small>{`${one.path} · ${W.fileKind[kindOf(one)]}`}</small>
            </button>
          </li>
        ))}
      </ul>
      {truncated ? <p className="panel-quiet">{W.moreChanges}</p> : null}
      {change === undefined ? null : (
        <Dialog open onClose={() => show(null)} size="l" title={titleOf(change, model)}>
          <DiffView
            before={change.before ?? ''}
            after={change.after ?? ''}
            label={W.committed(change.path)}
          />
        </Dialog>
      )}
    </section>
  );
}

function kindOf({ before, after }: Change): keyof typeof W.fileKind {
  if (before === null) return 'added';
  return after === null ? 'deleted' : 'changed';
}

/** The name of the cell that the file belongs to, else the file's own. */
function titleOf({ path }: Change, model: NotebookModel): string {
  const id = /^cells\/([^/.]+)\.\w+$/.exec(path)?.[1];
  return id !== undefined && model.cells[id] !== undefined ? cellName(model, id) : path;
}
