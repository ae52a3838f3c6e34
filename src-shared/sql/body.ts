/** Separates the SQL text of a cell from the annotations above it. */

/** The SQL of a cell, with its offset in the cell's source (UTF-16). */
interface SqlBody {
  readonly text: string;
  readonly offset: number;
}

/** Starts at the first line that is neither blank nor a `#` line (docs/spec/annotations.md, 1.1). */
export function sqlBody(source: string): SqlBody {
  const lines = /[^\r\n]*(?:\r\n|\r|\n|$)/gy;
  let offset = 0;
  for (let line = lines.exec(source); line !== null && line[0] !== ''; line = lines.exec(source)) {
    if (!/^\uFEFF?\s*(#.*)?$/.test(line[0].replace(/[\r\n]+$/, ''))) break;
    offset = lines.lastIndex;
  }
  return { text: source.slice(offset), offset };
}
