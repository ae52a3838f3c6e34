/** The assistant's `run_cell` tool: shows what would run, runs it, and shortens the result for the model. */

import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { ExecutionResult } from '../../../src-shared/wire/execution.ts';
import { headOf, hideText, tailOf } from '../hide.ts';
import type { PlanOrRefusal } from './cellPlans.ts';
import {
  dispatch,
  errorOutcome,
  findCell,
  idOf,
  labelOf,
  refusalOf,
  successOutcome,
  type ToolContext,
  type ToolOutcome,
  unknownCell,
} from './toolContext.ts';
import type { ArgumentsOf } from './toolSpecs.ts';

/** Maximum characters of a result for the model (docs/spec/prompts-and-ai.md, 7). */
const MAX_STDOUT = 2_000;
const MAX_STDERR = 1_000;
const MAX_PREVIEW = 500;
const MAX_PREVIEWS = 20;

export function planRun(context: ToolContext, args: ArgumentsOf<'run_cell'>): PlanOrRefusal {
  const cell = findCell(context, args.variable_name);
  if (cell === null) return { outcome: unknownCell(args.variable_name) };
  return {
    plan: {
      summary: `Run cell ${labelOf(cell)}`,
      preview: async () => ({
        kind: 'run',
        cell_id: cell.id,
        source: cell.source,
        upstream: [...upstreamToRun(context, cell)],
      }),
      apply: () => run(context, cell),
    },
  };
}

async function run(context: ToolContext, cell: Cell): Promise<ToolOutcome> {
  const cellId = idOf(cell);
  const stop = (): void => {
    // Its outcome is the reply of the run, which is awaited below.
    void dispatch(context, { type: 'cancel_cell', cellId, soon: true }).catch(() => undefined);
  };
  const running = dispatch(context, { type: 'run_cell', cellId, mode: 'normal', upstream: 'go' });
  context.signal.addEventListener('abort', stop, { once: true });
  if (context.signal.aborted) stop();
  try {
    const reply = await running;
    if (reply.kind !== 'executed') return refusalOf(reply) ?? errorOutcome('The cell did not run.');
    return outcomeOf(context, reply.result);
  } finally {
    context.signal.removeEventListener('abort', stop);
  }
}

function outcomeOf({ notebook, fence }: ToolContext, result: ExecutionResult): ToolOutcome {
  const redactor = notebook.views.notebook.redactor();
  const hide = (text: string) => hideText(text, redactor);
  const { status, stdout, stderr, error, traceback, outputs, displays } = result;
  const lines: string[] = [`status: ${status}${result.cache_hit ? ' (stored result)' : ''}`];
  const failure = [error, traceback].filter((text) => text !== null && text !== '').join('\n');
  if (failure !== '') lines.push(`error:\n${tailOf(hide(failure), MAX_STDOUT)}`);
  if (stdout !== '') lines.push(`stdout:\n${headOf(hide(stdout), MAX_STDOUT)}`);
  if (stderr !== '') lines.push(`stderr:\n${tailOf(hide(stderr), MAX_STDERR)}`);
  for (const [name, { content_type: type, preview }] of Object.entries(outputs).slice(0, MAX_PREVIEWS)) {
    lines.push(`${name} (${type}): ${previewText(preview, hide)}`);
  }
  for (const display of displays.slice(0, MAX_PREVIEWS)) {
    const displayText = display.markdown_text ?? display.text ?? display.preview;
    lines.push(`shown (${display.content_type}): ${previewText(displayText, hide)}`);
  }
  const text = fence.wrap('the result of the run', lines.join('\n'));
  return status === 'ready' ? successOutcome(text) : errorOutcome(text);
}

/** A preview as text of at most 500 characters. */
export function previewText(preview: unknown, hide: (text: string) => string): string {
  const text = typeof preview === 'string' ? preview : (JSON.stringify(preview) ?? '');
  return headOf(hide(text), MAX_PREVIEW);
}

/** The cells that are not up to date and must run before this one. */
function upstreamToRun({ notebook }: ToolContext, cell: Cell): readonly string[] {
  const cells = new Map(notebook.views.cells.all().map((one) => [one.id, one]));
  const reached = new Set<string>();
  const queue = [...cell.upstream_ids];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const one = cells.get(id);
    if (one === undefined || reached.has(id)) continue;
    reached.add(id);
    queue.push(...one.upstream_ids);
  }
  return [...cells.values()].flatMap((one) =>
    reached.has(one.id) && one.status !== 'ready' ? [one.id] : [],
  );
}
