/** Upgrades Jupyter files of the old formats nbformat 2 and 3 to nbformat 4, for the import. */

import { isObject, type JsonObject, textOf } from './jupyterJson.ts';

/** Keys of an output in nbformat 2 and 3, with the media types of nbformat 4. */
const MEDIA: Readonly<Record<string, string>> = {
  text: 'text/plain',
  html: 'text/html',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpeg: 'image/jpeg',
  latex: 'text/latex',
  json: 'application/json',
  javascript: 'application/javascript',
};

/** Converts the cells of nbformat 2 or 3 to nbformat 4; null for any other file. */
export function upgradedCells({ worksheets }: JsonObject): readonly JsonObject[] | null {
  if (!Array.isArray(worksheets) || worksheets.length === 0) return null;
  const cells: JsonObject[] = [];
  for (const sheet of worksheets as readonly unknown[]) {
    const own: unknown = isObject(sheet) ? sheet['cells'] : null;
    if (!Array.isArray(own) || !own.every(isObject)) return null;
    cells.push(...own.map(upgraded));
  }
  return cells;
}

function upgraded(cell: JsonObject): JsonObject {
  const { cell_type: kind, level, input, source, outputs, prompt_number: count } = cell;
  if (kind === 'heading') {
    const marks = '#'.repeat(typeof level === 'number' && level >= 1 && level <= 6 ? Math.floor(level) : 1);
    return {
      cell_type: 'markdown',
      source: `${marks} ${textOf(source)
        .trim()
        .replace(/\s*\n\s*/g, ' ')}`,
    };
  }
  if (kind === 'html') return { cell_type: 'markdown', source };
  if (kind !== 'code') return cell;
  return {
    cell_type: 'code',
    language: cell['language'],
    source: input ?? source,
    execution_count: count ?? null,
    outputs: Array.isArray(outputs) ? outputs.filter(isObject).map(upgradedOutput) : [],
  };
}

function upgradedOutput(output: JsonObject): JsonObject {
  const { output_type: kind, stream } = output;
  if (kind === 'stream') return { output_type: 'stream', name: stream ?? 'stdout', text: output['text'] };
  if (kind === 'pyerr') return { ...output, output_type: 'error' };
  const data = Object.entries(MEDIA).flatMap(([key, type]) =>
    output[key] === undefined ? [] : [[type, output[key]] as const],
  );
  return {
    output_type: kind === 'pyout' ? 'execute_result' : kind,
    data: Object.fromEntries(data),
  };
}
