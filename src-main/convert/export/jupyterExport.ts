import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import type { ExportedCell, ExportView } from '../exportView.ts';
import { exportedCells, type RenderOptions } from './blocks.ts';
import { cutOutput, lastTerminalState, plainOutput, storedOutput, valueText } from './outputParts.ts';

/**
 * A notebook in Jupyter's format (nbformat 4.5), made while it is sent: sources, current results and printed output.
 * SQL and R cells get the magics `%%sql` and `%%R`, a widget cell becomes the assignments of its controls, and a prompt
 * a raw cell. `metadata.cellar` has what an import into Cellar needs to make the same cells again (docs/extensions.md).
 */
export async function* jupyterExport(view: ExportView, options: RenderOptions): AsyncGenerator<Uint8Array> {
  const cells = exportedCells(view, options);
  const isR = isOnlyR(cells);
  const ids = new Set<string>();
  yield Buffer.from('{\n "cells": [');
  for (const [at, exported] of cells.entries()) {
    const cell = {
      ...(await jupyterCell(view, exported, { ...options, isR })),
      id: cellId(exported.cell, ids),
    };
    yield Buffer.from(`${at === 0 ? '' : ','}\n  ${JSON.stringify(cell, hidden(view))}`);
  }
  const metadata = { ...(isR ? R_KERNEL : PYTHON_KERNEL), title: view.name };
  yield Buffer.from(
    `\n ],\n "metadata": ${JSON.stringify(metadata, hidden(view))},\n "nbformat": 4,\n "nbformat_minor": 5\n}\n`,
  );
}

const PYTHON_KERNEL = {
  kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
  language_info: { name: 'python', file_extension: '.py', mimetype: 'text/x-python' },
};
const R_KERNEL = {
  kernelspec: { display_name: 'R', language: 'R', name: 'ir' },
  language_info: { name: 'R', file_extension: '.r', mimetype: 'text/x-r-source' },
};

/** Hides secret values in each text before it is escaped; bytes of pictures stay as they are. */
function hidden({ redactor }: ExportView): (key: string, value: unknown) => unknown {
  return (key, value) =>
    typeof value === 'string' && !/^image\/(?!svg)/.test(key) ? redactor.text(value) : value;
}

/** Whether all code is R: then the file is a notebook of R's kernel. */
function isOnlyR(cells: readonly ExportedCell[]): boolean {
  const languages = new Set(cells.map(({ cell }) => cell.language).filter((name) => LANGUAGES[name].runs));
  return languages.size === 1 && languages.has('r');
}

/** Ids as nbformat allows them; others are numbered. */
function cellId({ id }: Cell, ids: Set<string>): string {
  let own = /^[\w-]{1,64}$/.test(id) ? id : '';
  for (let number = 1; own === '' || ids.has(own); number += 1) own = `cell-${number}`;
  ids.add(own);
  return own;
}

type JupyterCell = Readonly<Record<string, unknown>>;

async function jupyterCell(
  view: ExportView,
  { cell }: ExportedCell,
  options: RenderOptions & { readonly isR: boolean },
): Promise<JupyterCell> {
  const { runs, asksModel } = LANGUAGES[cell.language];
  if (!runs) return { cell_type: 'markdown', metadata: {}, source: cell.source };
  const { cellar, source } = codeOf(cell, options.isR);
  const metadata = {
    ...(cellar === null ? {} : { cellar }),
    ...(options.appView ? { jupyter: { source_hidden: true } } : {}),
  };
  // Another variant would replace the variables of the active one when all cells are run.
  if (asksModel || !cell.variant_active) return { cell_type: 'raw', metadata, source };
  const outputs = [
    ...(options.console ? [...stream('stdout', cell, options), ...stream('stderr', cell, options)] : []),
    ...(await Promise.all(cell.display_outputs.map((output) => jupyterOutput(view, output, options)))),
    ...(cell.error === null ? [] : [errorOutput(cell.error)]),
  ];
  return { cell_type: 'code', execution_count: null, metadata, source, outputs };
}

interface Code {
  /** What an import into Cellar needs; null: a Python cell. */
  readonly cellar: Readonly<Record<string, string>> | null;
  readonly source: string;
}

function codeOf(cell: Cell, isR: boolean): Code {
  const { language, source } = cell;
  switch (language) {
    case 'sql':
      return { cellar: { language }, source: `%%sql\n${source}` };
    case 'r':
      return isR ? { cellar: null, source } : { cellar: { language }, source: `%%R\n${source}` };
    case 'widget':
      return { cellar: { language, source }, source: assignments(cell) };
    case 'prompt':
      return { cellar: { language }, source };
    default:
      return { cellar: null, source };
  }
}

/** The controls of a widget cell with their current values, as Python. */
function assignments({ widget }: Cell): string {
  const controls = widget?.descriptors ?? [];
  const lines = controls.map(({ name, default: initial }) => {
    const value = widget !== undefined && Object.hasOwn(widget.values, name) ? widget.values[name] : initial;
    return `${name} = ${pythonLiteral(value)}`;
  });
  return lines.join('\n');
}

function pythonLiteral(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}: ${pythonLiteral(item)}`,
    );
    return `{${entries.join(', ')}}`;
  }
  // A JSON string is also a Python string.
  return JSON.stringify(value);
}

function stream(
  name: 'stdout' | 'stderr',
  cell: Cell,
  { maxOutputBytes }: RenderOptions,
): readonly JupyterCell[] {
  const text = plainOutput(lastTerminalState(name === 'stdout' ? cell.console_stdout : cell.console_stderr));
  if (text.trim() === '') return [];
  return [{ output_type: 'stream', name, text: cutOutput(text, maxOutputBytes) }];
}

/** The last line of a traceback is `Name: message`. */
function errorOutput(error: string): JupyterCell {
  const lines = plainOutput(error).trimEnd().split('\n');
  const [, name = 'Error', message = ''] = /^([\w.]+)(?:: ?(.*))?$/.exec(lines.at(-1) ?? '') ?? [
    '',
    'Error',
    lines.at(-1) ?? '',
  ];
  return { output_type: 'error', ename: name, evalue: message, traceback: lines };
}

async function jupyterOutput(
  view: ExportView,
  output: Output,
  { maxOutputBytes }: RenderOptions,
): Promise<JupyterCell> {
  if (output.error !== null) return errorOutput(output.error);
  const data = await mimeBundle(view, output, maxOutputBytes);
  return { output_type: 'display_data', metadata: {}, data };
}

type MimeBundle = Readonly<Record<string, unknown>>;

async function mimeBundle(view: ExportView, output: Output, most: number): Promise<MimeBundle> {
  const { content_type: type, columns, preview } = output;
  if (columns !== null && Array.isArray(preview)) return tableBundle(columns, preview, output.rows);
  if (/^image\//.test(type)) return pictureBundle(view, output, most);
  const bytes = await storedOutput(view, output, most);
  if (type === 'text/markdown') {
    const text = output.markdown_text ?? bytes?.toString('utf8');
    return text === undefined ? missing(output) : { 'text/markdown': cutOutput(text, most) };
  }
  if (type === 'json/object') return jsonBundle('application/json', bytes, preview);
  if (/^application\/vnd\..*json$/.test(type)) {
    return bytes === null ? missing(output) : jsonBundle(type, bytes, preview);
  }
  if (type === 'text/html' || type === 'text/latex') {
    return bytes === null
      ? missing(output)
      : { [type]: bytes.toString('utf8'), 'text/plain': nameOf(output) };
  }
  const text = output.text ?? valueText(preview);
  return text === '' ? missing(output) : { 'text/plain': cutOutput(plainOutput(text), most) };
}

/** The number of rows of a data frame that Jupyter also shows. */
const SHOWN_ROWS = 60;

function tableBundle(
  columns: readonly string[],
  preview: readonly unknown[],
  total: number | null,
): MimeBundle {
  const rows = preview
    .slice(0, SHOWN_ROWS)
    .map((row) => (Array.isArray(row) ? row : [row]).map((value) => valueText(value)));
  const line = (tag: string, values: readonly string[]): string =>
    `<tr>${values.map((value) => `<${tag}>${escaped(value)}</${tag}>`).join('')}</tr>`;
  const count = total === null || total <= rows.length ? '' : `<p>${rows.length} of ${total} rows</p>`;
  const html = `<table><thead>${line('th', columns)}</thead><tbody>${rows
    .map((row) => line('td', row))
    .join('')}</tbody></table>${count}`;
  const plain = [columns, ...rows].map((row) => row.join('\t')).join('\n');
  return { 'text/html': html, 'text/plain': plain };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

async function pictureBundle(view: ExportView, output: Output, most: number): Promise<MimeBundle> {
  const { content_type: type, inline_data_url: inline } = output;
  const stored = await storedOutput(view, output, most);
  const base64 = stored?.toString('base64') ?? /^data:image\/[\w.+-]+;base64,(.*)$/s.exec(inline ?? '')?.[1];
  if (base64 === undefined || (most !== 0 && output.bytes > most)) return missing(output);
  const data = type === 'image/svg+xml' ? Buffer.from(base64, 'base64').toString('utf8') : base64;
  return { [type]: data, 'text/plain': '<figure>' };
}

function jsonBundle(type: string, bytes: Buffer | null, preview: unknown): MimeBundle {
  const value = bytes === null ? preview : jsonValue(bytes.toString('utf8'));
  // NaN and Infinity are not valid JSON, but can be stored (docs/spec/values.md, 1).
  if (value === undefined) return { 'text/plain': bytes?.toString('utf8') ?? '' };
  return {
    [type]: value,
    'text/plain': bytes === null ? JSON.stringify(value, null, 2) : valueText(preview),
  };
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (_notJson) {
    return undefined;
  }
}

function nameOf({ preview }: Output): string {
  const text = valueText(preview);
  return text === '' || text.startsWith('<') ? '<HTML>' : text;
}

function missing({ content_type: type, bytes }: Output): MimeBundle {
  return { 'text/plain': `[A result of type ${type} (${bytes} bytes) is not part of the export.]` };
}
