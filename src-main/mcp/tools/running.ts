/** MCP tools that run cells, tests and environment jobs. */

import * as z from 'zod';
import { isCellId } from '../../../src-shared/notebook/ids.ts';
import { cellStatus } from '../../../src-shared/wire/cell.ts';
import { testCase } from '../../../src-shared/wire/cellTests.ts';
import { cellView } from '../../../src-shared/wire/cellView.ts';
import { type RunResult, runResult } from '../../../src-shared/wire/runResult.ts';
import { cellNameOf } from '../../../src-shared/wire/toCellView.ts';
import { runResultOf } from '../../../src-shared/wire/toRunResult.ts';
import { widgetValue } from '../../../src-shared/wire/widget.ts';
import { ToolRefusal } from '../mcpCaller.ts';
import {
  cellId,
  defineTool,
  imagesOf,
  notifyWindows,
  readCell,
  shownCell,
  sid,
  type Tool,
  type ToolCall,
} from '../tool.ts';
import { addCell, addInput } from './editing.ts';

const runMode = z
  .enum(['normal', 'rerun', 'force'])
  .default('normal')
  .describe('normal uses stored results; rerun runs the cell anyway; force also runs nothing above it.');

async function runCell(call: ToolCall, sid: string, id: string, mode: RunMode): Promise<RunResult> {
  const params = { sid, cell_id: id };
  return runResultOf(await call.caller.call('executeCell', { params, query: { mode } }));
}
type RunMode = z.output<typeof runMode>;

const packageInput = z.object({
  session_id: sid,
  package: z.string().max(200).describe('One requirement, such as pandas or "pandas>=2".'),
});
const packageOutput = z.object({
  package: z.string(),
  action: z.enum(['add', 'remove']),
  success: z.boolean(),
  lockfile_changed: z.boolean(),
  error: z.string().optional(),
});

/** Tools that run cells, tests and environment jobs. */
export const RUNNING_TOOLS: Readonly<Record<string, Tool>> = {
  run_cell: defineTool({
    scope: 'notebook:execute',
    title: 'Run a cell',
    description:
      'Run a cell, and first the cells above it that are not up to date. Waits for the end; the run continues if you stop waiting. Figures are attached as images.',
    input: z.object({ session_id: sid, cell_id: cellId, mode: runMode }),
    output: runResult,
    async run(call, { session_id, cell_id, mode }) {
      await readCell(call, session_id, cell_id);
      const result = await runCell(call, session_id, cell_id, mode);
      const cell = await readCell(call, session_id, cell_id);
      await notifyWindows(call, session_id, `ran ${cellNameOf(cell)}`);
      return { result, images: result.status === 'ok' ? imagesOf(cell) : [] };
    },
  }),
  run_snippet: defineTool({
    scope: 'notebook:execute',
    title: 'Add and run a cell',
    description: 'Add a cell and run it. The cell stays even if it fails. Figures are attached as images.',
    input: addInput,
    output: cellView.extend({ run: runResult }),
    async run(call, input) {
      const { session_id } = input;
      const { id } = await addCell(call, input);
      const run = await runCell(call, session_id, id, 'normal');
      const cell = await readCell(call, session_id, id);
      await notifyWindows(call, session_id, `added and ran ${cellNameOf(cell)}`);
      return { result: { ...shownCell(call, session_id, cell), run }, images: imagesOf(cell) };
    },
  }),
  cancel_cell: defineTool({
    scope: 'notebook:execute',
    title: 'Stop a run',
    description: 'Stop the run that a cell is part of.',
    input: z.object({ session_id: sid, cell_id: cellId }),
    output: z.object({ cell_id: z.string(), cancelled: z.boolean(), status: cellStatus }),
    async run(call, { session_id, cell_id }) {
      const result = await call.caller.call('cancelCell', { params: { sid: session_id, cell_id } });
      if (result.cancelled) {
        const cell = await readCell(call, session_id, cell_id);
        await notifyWindows(call, session_id, `stopped ${cellNameOf(cell)}`);
      }
      return { result };
    },
  }),
  run_tests: defineTool({
    scope: 'notebook:execute',
    title: 'Run the tests of a cell',
    description: 'Run the pytest tests of a cell against a copy of it.',
    input: z.object({ session_id: sid, cell_id: cellId }),
    output: z.object({
      cell_id: z.string(),
      passed: z.int(),
      failed: z.int(),
      errored: z.int(),
      skipped: z.int(),
      pytest_unavailable: z.boolean(),
      cases: z.array(testCase.pick({ name: true, outcome: true, message: true })),
    }),
    async run(call, { session_id, cell_id }) {
      const ran = await call.caller.call('runCellTests', { params: { sid: session_id, cell_id } });
      const { passed, failed, errored, skipped, pytest_unavailable, tests } = ran;
      const cell = await readCell(call, session_id, cell_id);
      await notifyWindows(call, session_id, `ran the tests of ${cellNameOf(cell)}`);
      const cases = tests.map(({ name, outcome, message }) => ({ name, outcome, message }));
      return { result: { cell_id, passed, failed, errored, skipped, pytest_unavailable, cases } };
    },
  }),
  set_widget_value: defineTool({
    scope: 'notebook:execute',
    title: 'Set controls',
    description:
      'Set controls of a widget cell by name. Runs the cell, and the cells that read it if the cell is live.',
    input: z.object({
      session_id: sid,
      cell_id: cellId,
      values: z.record(z.string(), z.unknown()).describe('Values by the names of the controls.'),
    }),
    output: z.object({
      cell_id: z.string(),
      values: z.record(z.string(), widgetValue),
      run: runResult.nullable(),
    }),
    async run(call, { session_id, cell_id, values }) {
      const run = await moveControls(call, session_id, { cell_id, values });
      const cell = await readCell(call, session_id, cell_id);
      await notifyWindows(call, session_id, `set controls of ${cellNameOf(cell)}`);
      return { result: { cell_id, values: cell.widget?.values ?? {}, run } };
    },
  }),
  add_dependency: defineTool({
    scope: 'notebook:execute',
    title: 'Add a package',
    description: 'Add a package to the notebook and wait until it is installed.',
    input: packageInput,
    output: packageOutput,
    run: (call, input) => changePackage(call, input, 'add'),
  }),
  remove_dependency: defineTool({
    scope: 'notebook:execute',
    title: 'Remove a package',
    description: 'Remove a package from the notebook.',
    input: packageInput,
    output: packageOutput,
    destructive: true,
    run: (call, input) => changePackage(call, input, 'remove'),
  }),
};

/**
 * Sets controls through the session, because there is no route for them: windows use the live protocol. Null:
 * joined a running run.
 */
async function moveControls(
  call: ToolCall,
  sid: string,
  { cell_id, values }: { readonly cell_id: string; readonly values: Readonly<Record<string, unknown>> },
): Promise<RunResult | null> {
  if (!isCellId(cell_id)) throw new ToolRefusal('Cell not found', 'not_found');
  const session = call.session(sid);
  const reply = await session.dispatch(
    { type: 'update_widget', cellId: cell_id, values },
    { kind: 'caller', identity: call.caller.identity(undefined) },
  );
  if (reply.kind === 'refused') {
    throw new ToolRefusal(session.views.notebook.redactor().text(reply.error.message), reply.error.code);
  }
  return reply.kind === 'executed' ? runResultOf(reply.result) : null;
}

async function changePackage(
  call: ToolCall,
  { session_id, package: name }: z.output<typeof packageInput>,
  action: 'add' | 'remove',
) {
  const sid = session_id;
  try {
    const { lockfile_changed } = await (action === 'add'
      ? call.caller.call('addDependency', { params: { sid }, body: { package: name } })
      : call.caller.call('removeDependency', { params: { sid, package_name: name } }));
    await notifyWindows(
      call,
      sid,
      action === 'add' ? `added the package ${name}` : `removed the package ${name}`,
    );
    return { result: { package: name, action, success: true, lockfile_changed } };
  } catch (error) {
    // A failed job is a result; a job that could not start is a refusal.
    if (!(error instanceof ToolRefusal) || error.code !== 'environment_failed') throw error;
    return {
      result: { package: name, action, success: false, lockfile_changed: false, error: error.message },
    };
  }
}
