/** The blocks of a readable export: cells and results in reading order, for the Markdown and HTML writers. */

import { whyExcluded } from '../../../src-shared/notebook/app/inApp.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { placeIn } from '../../lib/guardedFolder/place.ts';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { ExportedCell, ExportView } from '../exportView.ts';
import { filledText } from './filledText.ts';
import { cutOutput, lastTerminalState, plainOutput, storedOutput, valueText } from './outputParts.ts';

/** Options of a readable export. */
export interface RenderOptions {
  /** Include inactive variants. */
  readonly inactiveVariants: boolean;
  /** Only what an app view shows: no source, no console, no prompts (docs/spec/export-and-import.md, 1). */
  readonly appView: boolean;
  /** HTML: the app view in the layout of notebook.toml, by CSS alone (docs/apps.md). */
  readonly appLayout: boolean;
  readonly console: boolean;
  /** The maximum size of a single output, in bytes; 0: no limit. */
  readonly maxOutputBytes: number;
}

export const RENDER_DEFAULTS: RenderOptions = {
  inactiveVariants: false,
  appView: false,
  appLayout: false,
  console: true,
  maxOutputBytes: 1024 * 1024,
};

/** A part of a rendered notebook; Markdown and HTML each have their own rendering of it. */
export type Block =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'markdown'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string; readonly chips: readonly string[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | {
      readonly kind: 'table';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** The total number of rows, if known. */
      readonly total: number | null;
    }
  | { readonly kind: 'image'; readonly dataUrl: string; readonly alt: string }
  | { readonly kind: 'text'; readonly role: 'stdout' | 'stderr' | 'error' | 'value'; readonly text: string }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string };

/** A longer README is not an introduction. */
const MAX_README_BYTES = 1024 * 1024;
/** Maximum number of exported rows of a table (docs/spec/export-and-import.md, 1). */
const SHOWN_ROWS = 20;

/** The notebook in reading order; results are read one by one. Nothing runs. */
export async function* blocksOf(view: ExportView, options: RenderOptions): AsyncGenerator<Block> {
  const readme = options.appView ? null : await readmeOf(view.dir);
  yield readme === null ? { kind: 'title', text: view.name } : { kind: 'markdown', text: readme };
  for (const exported of exportedCells(view, options)) yield* cellBlocks(view, exported, options);
}

/**
 * The cells of an export; of an app view those that the window shows, without prompts
 * (docs/spec/widgets-and-app-view.md, 3).
 */
export function exportedCells(
  { app, cells }: Pick<ExportView, 'app' | 'cells'>,
  { appView, inactiveVariants }: Pick<RenderOptions, 'appView' | 'inactiveVariants'>,
): readonly ExportedCell[] {
  return cells.filter(({ cell }) => {
    if (!cell.variant_active && !inactiveVariants) return false;
    if (!appView) return true;
    return !LANGUAGES[cell.language].asksModel && whyExcluded(cell, app.cells[cell.id] ?? {}) === null;
  });
}

async function readmeOf(dir: NotebookFolder): Promise<string | null> {
  try {
    return (await readFileAt(placeIn(dir, 'README.md'), { maxBytes: MAX_README_BYTES })).toString('utf8');
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'EACCES' || error instanceof PlaceRefusal) return null;
    throw error;
  }
}

/** The parts of one cell. */
export async function* cellBlocks(
  view: ExportView,
  exported: ExportedCell,
  options: RenderOptions,
): AsyncGenerator<Block> {
  const { cell, title } = exported;
  const { runs, asksModel, hasControls, fence } = LANGUAGES[cell.language];
  if (!runs) {
    yield { kind: 'markdown', text: await filledText(view, cell.source, options.maxOutputBytes) };
    return;
  }
  if (!options.appView) {
    yield { kind: 'heading', text: cell.annotations.name ?? title, chips: chipsOf(cell) };
    if (cell.source.trim() !== '') yield { kind: 'code', language: fence, text: cell.source };
  }
  if (asksModel) {
    // Replies of a model are not part of a readable export (docs/spec/rest-notebooks.md, 8).
    yield { kind: 'note', text: 'The response to this prompt is not part of the export.' };
    return;
  }
  if (hasControls) yield* controlBlocks(cell);
  if (cell.imported === true)
    yield { kind: 'note', text: 'From the imported file. This cell has not run yet.' };
  for (const output of cell.display_outputs) yield* outputBlocks(view, output, options);
  if (options.appView) return;
  if (options.console) {
    yield* consoleBlock('stdout', cell.console_stdout, options);
    yield* consoleBlock('stderr', cell.console_stderr, options);
  }
  if (cell.error !== null) yield { kind: 'text', role: 'error', text: plainOutput(cell.error) };
}

/**
 * The labels of a cell (kind, variant, worker, loop, mounts): facts that the source alone does not show
 * (docs/spec/export-and-import.md, 1).
 */
function chipsOf(cell: Cell): readonly string[] {
  const { annotations } = cell;
  const chips: string[] = [cell.language];
  if (cell.variant_group !== null)
    chips.push(
      `variant ${cell.variant_group}: ${cell.variant_name ?? ''}${cell.variant_active ? '' : ' (not chosen)'}`,
    );
  const worker = annotations.worker ?? cell.worker;
  if (worker !== null && worker !== 'local') chips.push(`worker ${worker}`);
  if (annotations.loop !== null)
    chips.push(`loop ≤ ${annotations.loop.max_iter}, carries ${annotations.loop.carry}`);
  const mounts = new Set([...cell.mounts, ...annotations.mounts].map(({ name }) => name));
  for (const mount of mounts) chips.push(`mount ${mount}`);
  return chips;
}

function* controlBlocks({ widget }: Cell): Generator<Block> {
  if (widget === undefined || widget.descriptors.length === 0) return;
  yield {
    kind: 'table',
    columns: ['control', 'value'],
    rows: widget.descriptors.map(({ name, default: initial }) => [
      name,
      valueText(Object.hasOwn(widget.values, name) ? widget.values[name] : initial),
    ]),
    total: null,
  };
}

function* consoleBlock(role: 'stdout' | 'stderr', text: string, options: RenderOptions): Generator<Block> {
  const output = plainOutput(lastTerminalState(text)).trimEnd();
  if (output !== '') yield { kind: 'text', role, text: cutOutput(output, options.maxOutputBytes) };
}

async function* outputBlocks(
  view: ExportView,
  output: Output,
  { maxOutputBytes }: RenderOptions,
): AsyncGenerator<Block> {
  if (output.variant !== undefined) yield { kind: 'note', text: `variant ${output.variant}` };
  if (output.error !== null) {
    yield { kind: 'text', role: 'error', text: plainOutput(output.error) };
    return;
  }
  const { content_type: type, columns, preview } = output;
  if (columns !== null && Array.isArray(preview)) {
    yield tableBlock(output, preview);
    return;
  }
  if (PICTURES.test(type)) {
    yield await pictureBlock(view, output, maxOutputBytes);
    return;
  }
  if (type === 'text/markdown') {
    const text =
      output.markdown_text ?? (await storedOutput(view, output, maxOutputBytes))?.toString('utf8') ?? null;
    yield text === null ? missing(output) : { kind: 'markdown', text: cutOutput(text, maxOutputBytes) };
    return;
  }
  if (type === 'json/object') {
    const bytes = output.preview_truncated === true ? await storedOutput(view, output, maxOutputBytes) : null;
    yield {
      kind: 'json',
      text: cutOutput(bytes === null ? jsonText(preview) : prettyJson(bytes), maxOutputBytes),
    };
    return;
  }
  if (type === 'pickle/object' || type.startsWith('module/') || type === 'text/html') {
    if (output.text !== undefined) {
      yield { kind: 'text', role: 'value', text: cutOutput(plainOutput(output.text), maxOutputBytes) };
      return;
    }
    const what = type === 'text/html' ? htmlName(preview) : valueText(preview) || 'A Python object';
    yield { kind: 'note', text: `${what} (${type}) is not part of the export.` };
    return;
  }
  if (/^application\/vnd\..*json$/.test(type)) {
    const what = output.artifact_uri === null ? 'A figure' : valueText(preview) || 'A figure';
    yield {
      kind: 'note',
      text: `${what} is interactive and not part of the export. Open the notebook to see it.`,
    };
    return;
  }
  const text = valueText(preview);
  yield text === ''
    ? missing(output)
    : { kind: 'text', role: 'value', text: cutOutput(plainOutput(text), maxOutputBytes) };
}

/** Displays of plotting libraries have a name as their preview, all others the beginning of their HTML. */
function htmlName(preview: unknown): string {
  return typeof preview === 'string' && /^[A-Z][\w .-]{0,80}$/i.test(preview) ? preview : 'An HTML display';
}

const PICTURES = /^image\/(png|jpeg|gif|webp|svg\+xml)$/;

async function pictureBlock(view: ExportView, output: Output, most: number): Promise<Block> {
  const { content_type: type, inline_data_url: inline, bytes } = output;
  if (most !== 0 && bytes > most) {
    return { kind: 'note', text: `An image of ${bytes} bytes was omitted.` };
  }
  const data = await storedOutput(view, output, most);
  const url = data === null ? inline : `data:${type};base64,${data.toString('base64')}`;
  if (url === null || !url.startsWith('data:image/')) return missing(output);
  return { kind: 'image', dataUrl: url, alt: 'figure' };
}

function missing({ content_type }: Output): Block {
  return { kind: 'note', text: `A result of type ${content_type} is not part of the export.` };
}

function tableBlock({ columns, rows }: Output, preview: readonly unknown[]): Block {
  const firstRows = preview.slice(0, SHOWN_ROWS);
  return {
    kind: 'table',
    columns: columns ?? [],
    rows: firstRows.map((row) => (Array.isArray(row) ? row.map(valueText) : [valueText(row)])),
    total: rows,
  };
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'null';
}

function prettyJson(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  try {
    return jsonText(JSON.parse(text));
  } catch (error) {
    // NaN and Infinity are not valid JSON, but can be stored (docs/spec/values.md, 1).
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
