import { parseAnnotations } from '../../../src-shared/notebook/annotations.ts';
import type { Session } from '../../session/api.ts';

type Reader = { notebook_id: string; cell_id: string; reference: string };

/** Which cells of these notebooks read a name with @dataset: name -> the cells, as each writes it. */
export function readersOf(sessions: readonly Session[]): Record<string, Reader[]> {
  const readers = new Map<string, Reader[]>();
  for (const session of sessions) {
    for (const cell of session.cells()) {
      for (const { name, alias, version } of parseAnnotations(cell.source, cell.language).datasets) {
        const reference =
          alias !== null ? `${name}@${alias}` : version !== null ? `${name}@v=${version}` : name;
        const known = readers.get(name) ?? [];
        known.push({ notebook_id: session.notebookId, cell_id: cell.id, reference });
        readers.set(name, known);
      }
    }
  }
  return Object.fromEntries(readers);
}
