import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { ResultVersion } from '../../../src-shared/wire/routes/extensions.ts';
import type { RunSample } from '../../../src-shared/wire/runSample.ts';
import { type Answer, useAnswer } from '../../live/useAnswer.ts';
import { useView } from '../../notebook/context.ts';
import type { CellModel } from '../../state/notebookModel.ts';

/**
 * Hook for all stored versions of the cell's results, newest first, and its latest runs; loaded again when there may be
 * new ones.
 */
export function useResultVersions(
  id: string,
  model: CellModel,
): Answer<{ results: ResultVersion[]; runs: RunSample[] }> {
  const sessionId = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const { cell } = model;
  const asks = live && cell.status !== 'running' && LANGUAGES[cell.language].runs;
  return useAnswer('cellResults', asks ? { params: { sid: sessionId, cell_id: id } } : null, {
    subject: `${sessionId} ${id}`,
    key: JSON.stringify([cell.status, cell.artifact_uris]),
  });
}

/** The names that have more than one version, each with its versions, newest first. */
export function comparableVersions(
  results: readonly ResultVersion[],
): ReadonlyMap<string, readonly ResultVersion[]> {
  const byName = new Map<string, ResultVersion[]>();
  for (const result of results) byName.set(result.variable, [...(byName.get(result.variable) ?? []), result]);
  return new Map([...byName].filter(([, versions]) => versions.length > 1));
}
