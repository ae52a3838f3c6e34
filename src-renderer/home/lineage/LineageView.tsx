/** The lineage of an artifact version (what it was made from, what was made from it), as a drawing or as lists. */

import './lineage.css';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { LINEAGE_WORDS } from '../../words/lineage.ts';
import { LineageList } from './LineageList.tsx';
import { neighboursOf } from './lineageGraph.ts';
import { useLineage } from './useLineage.ts';

/** The drawing and its layout code are loaded when a graph is first opened. */
const LineageDrawing = lazy(async () => ({ default: (await import('./LineageDrawing.tsx')).LineageDrawing }));

const LOOKS = [
  { value: 'graph', label: LINEAGE_WORDS.asGraph },
  { value: 'list', label: LINEAGE_WORDS.asList },
] as const;

/**
 * The graph around a version, as a drawing or as lists. The user moves through it by click or arrow keys, and it is
 * loaded step by step. The details beside it are those of the focused version.
 */
export function LineageView(props: {
  readonly root: string;
  readonly focused: string;
  readonly onFocus: (uri: string) => void;
  readonly onClose: () => void;
}) {
  const { root, focused, onFocus, onClose } = props;
  const { graph, loading, problem, isCut, expand } = useLineage(root);
  const [look, setLook] = useState<(typeof LOOKS)[number]['value']>('graph');
  const node = graph.nodes.get(focused);
  const around = neighboursOf(graph).get(focused);
  const more = around === undefined ? 0 : around.moreInputs + around.moreDependents;
  // The list shows a version with its neighbours, so they are loaded when the version gets the focus.
  const isIncomplete = look === 'list' && more > 0 && !isCut;
  useEffect(() => {
    if (isIncomplete) expand(focused);
  }, [isIncomplete, focused, expand]);
  const session = graph.notebooks.get(node?.version?.notebook_id ?? '');
  const cellId = node?.version?.cell_id;
  let content: ReactNode = null;
  if (node === undefined) content = problem === null ? <Spinner label={LINEAGE_WORDS.loading} /> : null;
  else if (look === 'list') content = <LineageList graph={graph} focused={focused} onFocus={onFocus} />;
  else {
    content = (
      <Suspense fallback={<Spinner />}>
        <LineageDrawing graph={graph} focused={focused} onFocus={onFocus} onExpand={expand} />
      </Suspense>
    );
  }
  return (
    <section className="lineage" aria-label={LINEAGE_WORDS.title} aria-busy={loading}>
      <header className="lineage-head">
        <Button onClick={onClose}>{LINEAGE_WORDS.back}</Button>
        <Segmented label={LINEAGE_WORDS.look} value={look} options={LOOKS} onChange={setLook} />
        <Button onClick={() => expand(focused)} disabled={more === 0 || loading}>
          {LINEAGE_WORDS.expand(more)}
        </Button>
        {session === undefined ? null : (
          <a
            className="btn btn-plain"
            href={`#/notebook/${encodeURIComponent(session.session_id)}${cellId == null ? '' : `?cell=${encodeURIComponent(cellId)}`}`}
          >
            {LINEAGE_WORDS.openNotebook(session.name)}
          </a>
        )}
      </header>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {isCut ? <Notice tone="info">{LINEAGE_WORDS.cut}</Notice> : null}
      <div className="lineage-body">{content}</div>
      {look === 'graph' ? <p className="lineage-hint">{LINEAGE_WORDS.keys}</p> : null}
    </section>
  );
}
