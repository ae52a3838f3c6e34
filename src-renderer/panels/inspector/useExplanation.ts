import type { Explanation } from '../../../src-shared/wire/routes/extensions.ts';
import { type Answer, useAnswer } from '../../live/useAnswer.ts';
import { useView } from '../../notebook/context.ts';
import type { CellModel } from '../../state/notebookModel.ts';

/**
 * Hook for the server's explanation of a cell's state, loaded again when its state, its inputs or the environment
 * change.
 */
export function useExplanation(id: string, model: CellModel): Answer<Explanation> {
  const { sessionId, live, environment } = {
    sessionId: useView((view) => view.sessionId),
    live: useView((view) => view.link.kind === 'live'),
    environment: useView((view) => view.model.meta?.environment.lockfile_hash ?? ''),
  };
  const { cell } = model;
  // Cells that it reads from may change while its own status stays the same.
  const upstream = useView((view) =>
    cell.upstream_ids
      .map((up) => {
        const from = view.model.cells[up]?.cell;
        return `${from?.status} ${from?.source.length}`;
      })
      .join(),
  );
  return useAnswer('explainCell', live ? { params: { sid: sessionId, cell_id: id } } : null, {
    subject: `${sessionId} ${id}`,
    key: JSON.stringify([
      cell.status,
      cell.causality,
      cell.artifact_uris,
      cell.source.length,
      environment,
      upstream,
    ]),
  });
}
