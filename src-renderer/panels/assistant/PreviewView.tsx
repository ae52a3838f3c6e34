import { useCallback } from 'react';
import type { AgentPreview } from '../../../src-shared/wire/assistant.ts';
import { useSession } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { DiffView } from '../../ui/DiffView.tsx';
import { previewTitle, ASSISTANT_WORDS as W } from '../../words/assistant.ts';
import { listText } from '../../words/strings.ts';

/** Shows what a change would do that the assistant asks to make, such as code before and after, or packages. */
export function PreviewView({ preview }: { preview: AgentPreview }) {
  const session = useSession();
  const nameOf = useCallback(
    (cellId: string): string => {
      const { model } = session.store.getState();
      return model.cells[cellId] === undefined ? cellId : cellName(model, cellId);
    },
    [session],
  );
  const title = previewTitle(preview, nameOf);
  const names = (ids: readonly string[]): string => listText(ids.map(nameOf));
  return (
    <div className="assistant-preview" data-preview={preview.kind}>
      <p className="assistant-quiet">{title}</p>
      {preview.kind === 'edit' ? (
        <DiffView before={preview.before} after={preview.after} label={title} />
      ) : null}
      {preview.kind === 'create' ? <Code label={title} text={preview.source} /> : null}
      {preview.kind === 'delete' ? <DiffView before={preview.source} after="" label={title} whole /> : null}
      {preview.kind === 'run' ? <Code label={title} text={preview.source} /> : null}
      {preview.kind === 'packages' ? <Packages label={title} preview={preview} /> : null}
      {preview.kind === 'run' && preview.upstream.length > 0 ? (
        <p>{W.runsFirst(names(preview.upstream))}</p>
      ) : null}
      {'stale' in preview && preview.stale.length > 0 ? <p>{W.becomesStale(names(preview.stale))}</p> : null}
      {preview.kind === 'delete' && preview.lost.length > 0 ? (
        <p>{W.wouldLack(listText(preview.lost))}</p>
      ) : null}
    </div>
  );
}

function Code({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by key
    <section className="assistant-pre assistant-preview-code" tabIndex={0} aria-label={label}>
      {text === '' ? W.emptyText : text}
    </section>
  );
}

function Packages(props: { preview: Extract<AgentPreview, { kind: 'packages' }>; label: string }) {
  const { preview, label } = props;
  return (
    <>
      {preview.problem === null ? null : <p>{W.packagesUnknown(preview.problem)}</p>}
      <ul className="plain-list assistant-packages" aria-label={label}>
        {preview.changes.map(({ name, before, after }) => (
          <li key={name}>
            <code>{name}</code> <span className="assistant-quiet">{W.packageChange(before, after)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
