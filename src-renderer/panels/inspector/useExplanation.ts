import type { Explanation } from '../../../src-shared/wire/routes/extensions.ts';
import { useView } from '../../notebook/context.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { type Answer, useAnswer } from '../useAnswer.ts';

/** The server's account of why a cell is as it is, asked anew when its state, inputs or the environment change. */
export function useExplanation(id: string, model: CellModel): Answer<Explanation> {
  const { sessionId, live, environment } = {
    sessionId: useView((view) => view.sessionId),
    live: useView((view) => view.link.kind === 'live'),
    environment: useView((view) => view.model.meta?.environment.lockfile_hash ?? ''),
  };
  const { cell } = model;
  return useAnswer('explainCell', live ? { params: { sid: sessionId, cell_id: id } } : null, {
    subject: `${sessionId} ${id}`,
    key: JSON.stringify([cell.status, cell.causality, cell.artifact_uris, cell.source.length, environment]),
  });
}
