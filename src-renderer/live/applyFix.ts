import type { Fix } from '../../src-shared/notebook/fixes.ts';
import type { NotebookSession } from './notebookSession.ts';

/**
 * Writes the fix of a fault (a problem found in a cell's code) into the cell. If the fix needs packages, the change of
 * packages is then shown for confirmation.
 */
export function applyFix(session: NotebookSession, cellId: string, { source, adds }: Fix): void {
  void session.shape.writeSources(new Map([[cellId, source]]), 'fix');
  if (adds === undefined) return;
  session.askPackages({ kind: 'request', request: { kind: 'add', requirements: adds }, rerun: null });
}
