/** Makes and parses the ids under which the results of cells are in the artifact store. */

/** Separates the cell from the label of its result. */
const LABEL_SEPARATOR = '_var_';

/**
 * `nb_<notebook>_cell_<cell>_var_<label>`: the artifact id of a variable, a display or the console
 * (docs/spec/provenance-and-cache.md, 2).
 */
export function artifactIdOf(notebookId: string, cellId: string, label: string): string {
  return `${artifactPrefixOf(notebookId)}cell_${cellIdPart(cellId)}_var_${label}`;
}

/**
 * A cell id as part of an artifact id, which must contain neither a separator nor `..`: these are
 * percent-encoded.
 */
export function cellIdPart(cellId: string): string {
  return cellId.replaceAll(/[%/\\]|\.(?=\.)/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function cellIdOfPart(part: string): string {
  return part.replaceAll(/%(25|2F|5C|2E)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The beginning of all artifact ids of a notebook. */
export function artifactPrefixOf(notebookId: string): string {
  return `nb_${notebookId}_`;
}

/**
 * The cell and label in an artifact id, or null if it does not belong to a cell of this notebook. @param
 * isCell needed because hand-written ids and names may contain `_var_`
 */
export function parseArtifactId(
  notebookId: string,
  id: string,
  isCell: (cellId: string) => boolean,
): { readonly cellId: string; readonly label: string } | null {
  const prefix = `${artifactPrefixOf(notebookId)}cell_`;
  if (!id.startsWith(prefix)) return null;
  const rest = id.slice(prefix.length);
  for (let at = rest.lastIndexOf(LABEL_SEPARATOR); at > 0; at = rest.lastIndexOf(LABEL_SEPARATOR, at - 1)) {
    const cellId = cellIdOfPart(rest.slice(0, at));
    if (isCell(cellId)) return { cellId, label: rest.slice(at + LABEL_SEPARATOR.length) };
  }
  return null;
}
