/** Builds the JSON of Jupyter notebooks, cells and outputs for tests of the import. */

export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export type GivenCell = string | Readonly<Record<string, unknown>>;

export function code(source: string, outputs: readonly unknown[] = []): GivenCell {
  return { cell_type: 'code', metadata: {}, execution_count: null, outputs, source };
}

export function text(source: string, attachments?: unknown): GivenCell {
  return {
    cell_type: 'markdown',
    metadata: {},
    source,
    ...(attachments === undefined ? {} : { attachments }),
  };
}

/** A file of nbformat 4; a string becomes a code cell. */
export function file(cells: readonly GivenCell[], more: Readonly<Record<string, unknown>> = {}): string {
  const metadata = { kernelspec: { name: 'python3', language: 'python', display_name: 'Python 3' } };
  return JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata,
    cells: cells.map((cell) => (typeof cell === 'string' ? code(cell) : cell)),
    ...more,
  });
}

/** A file of nbformat 3. */
export function oldFile(cells: readonly unknown[]): string {
  return JSON.stringify({ nbformat: 3, nbformat_minor: 0, metadata: { name: '' }, worksheets: [{ cells }] });
}

export const stream = (printed: string, name = 'stdout') => ({
  output_type: 'stream',
  name,
  text: [printed],
});
export const shown = (data: unknown, metadata: unknown = {}) => ({
  output_type: 'display_data',
  data,
  metadata,
});
export const value = (data: unknown) => ({
  output_type: 'execute_result',
  execution_count: 1,
  data,
  metadata: {},
});
