/** Writes notebook folders for tests: `notebook.toml`, the cells and `pyproject.toml`. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface CellText {
  readonly id: string;
  readonly source: string;
  readonly language?: 'python' | 'markdown' | 'prompt' | 'sql' | 'r' | 'widget';
}

const EXTENSION = {
  python: 'py',
  markdown: 'md',
  prompt: 'py',
  sql: 'py',
  r: 'r',
  widget: 'widget',
} as const;

export interface NotebookOptions {
  readonly cells: readonly CellText[];
  readonly dependencies?: readonly string[];
  /** Text of notebook.toml before the cells, such as `[[variant_group]]`. */
  readonly toml?: string;
  /** The time of the last change, ISO 8601 in UTC. */
  readonly updatedAt?: string;
  /** By default derived from the folder's path. */
  readonly notebookId?: string;
  /** By default every version that Cellar supports. */
  readonly requiresPython?: string;
}

/** Writes a notebook folder directly, like a text editor. Without dependencies it syncs offline. */
export async function writeNotebook(dir: string, options: NotebookOptions): Promise<string> {
  await mkdir(join(dir, 'cells'), { recursive: true });
  const lines = [
    `notebook_id = "${options.notebookId ?? `nb${Buffer.from(dir).toString('hex').slice(-12)}`}"`,
    'name = "Test notebook"',
    ...(options.updatedAt === undefined ? [] : [`updated_at = ${options.updatedAt}`]),
    ...(options.toml === undefined ? [] : [options.toml]),
    '',
  ];
  for (const [order, cell] of options.cells.entries()) {
    const file = `cells/${cell.id}.${EXTENSION[cell.language ?? 'python']}`;
    await writeFile(join(dir, file), cell.source);
    lines.push('[[cells]]', `id = "${cell.id}"`, `file = "${file}"`);
    if (cell.language) lines.push(`language = "${cell.language}"`);
    lines.push(`order = ${order}.0`, '');
  }
  await writeFile(join(dir, 'notebook.toml'), lines.join('\n'));
  await writeFile(
    join(dir, 'pyproject.toml'),
    [
      '[project]',
      'name = "test-notebook"',
      'version = "0.1.0"',
      'description = ""',
      `requires-python = "${options.requiresPython ?? '>=3.10'}"`,
      `dependencies = ${JSON.stringify(options.dependencies ?? [])}`,
      '',
      '[tool.uv]',
      '',
    ].join('\n'),
  );
  return dir;
}
