/** The assistant's tools that read the notebook without changing it. */

import type { Cell } from '../../../src-shared/wire/cell.ts';
import { AGENT_CONTEXT_CHARACTERS } from '../chatMessages.ts';
import { contextOf, contextText } from '../context.ts';
import { headOf, hideInJson, hideText, tailOf } from '../hide.ts';
import { previewText } from './runPlan.ts';
import {
  errorOutcome,
  findCell,
  idOf,
  labelOf,
  successOutcome,
  type ToolContext,
  type ToolOutcome,
  unknownCell,
  visibleCells,
} from './toolContext.ts';
import type { ArgumentsOf } from './toolSpecs.ts';

const MAX_MATCHES = 40;
const MAX_LINE = 200;
const MAX_CONSOLE = 1_000;
const MAX_COLUMNS = 100;
const MAX_SUMMARY = 6_000;

/** The current notebook; the cells that are sent in full count as read. */
export function readState(context: ToolContext): ToolOutcome {
  const parts = contextOf(context.notebook, { limit: AGENT_CONTEXT_CHARACTERS, leaveOut: context.leaveOut });
  for (const { cell, isCut } of parts) if (cell !== null && !isCut) context.seen.set(cell.id, cell.source);
  return successOutcome(context.fence.wrap('the notebook', contextText(parts)));
}

/** Lines of sources and outputs that contain a text, ignoring case. */
export function search(context: ToolContext, { text }: ArgumentsOf<'search_notebook'>): ToolOutcome {
  const needle = text.toLowerCase();
  const redactor = context.notebook.views.notebook.redactor();
  const lines: string[] = [];
  for (const cell of visibleCells(context)) {
    for (const [what, written] of textsOf(cell)) {
      // Secrets are hidden first: a search must not reveal one letter by letter.
      for (const [at, line] of hideText(written, redactor).split('\n').entries()) {
        if (!line.toLowerCase().includes(needle)) continue;
        if (lines.length >= MAX_MATCHES) {
          lines.push('(More lines match. Search for a longer text.)');
          return successOutcome(context.fence.wrap('matches', lines.join('\n')));
        }
        lines.push(`${cell.id} ${what}:${at + 1}: ${headOf(line.trim(), MAX_LINE)}`);
      }
    }
  }
  return lines.length === 0
    ? successOutcome('No line matches.')
    : successOutcome(context.fence.wrap('matches', lines.join('\n')));
}

function textsOf(cell: Cell): readonly (readonly [string, string])[] {
  const displayTexts = cell.display_outputs.map(
    ({ markdown_text: markdown, text, preview }) => markdown ?? text ?? JSON.stringify(preview) ?? '',
  );
  return [
    ['source', cell.source],
    ['stdout', cell.console_stdout],
    ['stderr', cell.console_stderr],
    ['error', cell.error ?? ''],
    ['shown', displayTexts.join('\n')],
  ];
}

/** Why a cell is stale or failed, with the output of its last run. */
export function explain(context: ToolContext, args: ArgumentsOf<'explain_cell'>): ToolOutcome {
  const cell = findCell(context, args.variable_name);
  if (cell === null) return unknownCell(args.variable_name);
  const redactor = context.notebook.views.notebook.redactor();
  const explanation = context.notebook.views.cells.explain(idOf(cell));
  const lines = [`cell ${labelOf(cell)}: ${cell.status} ${cell.staleness_reasons.join(', ')}`.trim()];
  if (explanation !== null) {
    lines.push(explanation.headline, headOf(JSON.stringify(hideInJson(explanation, redactor)), MAX_SUMMARY));
  }
  if (cell.error !== null) lines.push(`error:\n${tailOf(hideText(cell.error, redactor), MAX_CONSOLE)}`);
  for (const [name, text] of [
    ['stdout', cell.console_stdout],
    ['stderr', cell.console_stderr],
  ] as const) {
    if (text !== '') lines.push(`${name}:\n${tailOf(hideText(text, redactor), MAX_CONSOLE)}`);
  }
  return successOutcome(
    context.fence.wrap('why the cell has its status', hideText(lines.join('\n'), redactor)),
  );
}

/** The type of a stored variable; for a table its columns, with a summary of each. */
export async function describe(
  context: ToolContext,
  args: ArgumentsOf<'describe_value'>,
): Promise<ToolOutcome> {
  const visible = new Set(visibleCells(context).map(({ id }) => id));
  const value = context.notebook.views.results
    .variables()
    .findLast(({ name, cell_id: id }) => name === args.variable && visible.has(id));
  if (value === undefined) {
    return errorOutcome(
      `No stored value is called ${args.variable}. Run the cell that defines it, if another cell reads it.`,
    );
  }
  const redactor = context.notebook.views.notebook.redactor();
  const hide = (text: string) => hideText(text, redactor);
  const { name, content_type: type, rows, columns, byte_size: bytes } = value;
  const lines = [`${name}: ${type}, ${rows ?? '?'} rows, ${columns ?? '?'} columns, ${bytes} bytes`];
  const file = await context.notebook.views.results.artifactFile(value.artifact_uri);
  if (file.kind === 'file') {
    const summary = await context.tables.summary({ path: file.path, sha256: file.sha256 });
    if (summary.pageable) {
      for (const column of summary.columns.slice(0, MAX_COLUMNS)) {
        lines.push(previewText(hideInJson(column, redactor), hide));
      }
    }
  }
  return successOutcome(context.fence.wrap(`the value ${name}`, headOf(hide(lines.join('\n')), MAX_SUMMARY)));
}
