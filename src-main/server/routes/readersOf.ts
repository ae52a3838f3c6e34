/** Finds the cells of open notebooks that read a name of the artifact store with @dataset. */

import { parseAnnotations } from '../../../src-shared/notebook/annotations.ts';
import type { Session } from '../../session/api.ts';

type Reader = { notebook_id: string; cell_id: string; reference: string };

/** The reading cells, by name, with the reference as each cell writes it. */
export function readersOf(sessions: readonly Session[]): Record<string, Reader[]> {
  const readers = new Map<string, Reader[]>();
  for (const session of sessions) {
    for (const cell of session.views.cells.all()) {
      for (const { name, alias, version } of parseAnnotations(cell.source, cell.language).datasets) {
        const reference =
          alias !== null ? `${name}@${alias}` : version !== null ? `${name}@v=${version}` : name;
        const list = readers.get(name) ?? [];
        list.push({ notebook_id: session.notebookId, cell_id: cell.id, reference });
        readers.set(name, list);
      }
    }
  }
  return Object.fromEntries(readers);
}
