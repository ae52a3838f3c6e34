/** Executes a tool call of the model in a job: validates the arguments, then plans a change or performs a read. */

import type { AgentToolName } from '../../../src-shared/wire/assistant.ts';
import type { ToolCall } from '../../ai/conversation.ts';
import { tryParseJson } from '../../lib/tryParseJson.ts';
import { type PlanOrRefusal, planCreate, planDelete, planEdit } from './cellPlans.ts';
import { lookAtFigure } from './lookAtFigure.ts';
import { planAddPackage } from './packagePlan.ts';
import { describe, explain, readState, search } from './readTools.ts';
import { planRun } from './runPlan.ts';
import { errorOutcome, type ToolContext, type ToolOutcome } from './toolContext.ts';
import { type ArgumentsOf, isToolName, READ_TOOLS, TOOL_ARGUMENTS } from './toolSpecs.ts';

/** A call with valid arguments. */
export type ReadCall = {
  [T in AgentToolName]: { readonly tool: T; readonly args: ArgumentsOf<T> };
}[AgentToolName];

/** The call, or a message about its problem for the model to correct. */
export function readCall(
  call: ToolCall,
  toolNames: ReadonlySet<string>,
): { readonly call: ReadCall } | { readonly problem: string } {
  const { name } = call;
  if (!isToolName(name) || !toolNames.has(name))
    return { problem: `There is no tool ${JSON.stringify(name)}.` };
  const rawArguments = call.arguments.trim() === '' ? {} : tryParseJson(call.arguments);
  if (rawArguments === undefined)
    return { problem: 'The arguments are not valid JSON. Call the tool again.' };
  const parsed = TOOL_ARGUMENTS[name].safeParse(rawArguments);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path, message }) => `${path.map(String).join('.')}: ${message}`,
    );
    return { problem: `The arguments do not fit: ${faults.join('; ')}.` };
  }
  return { call: { tool: name, args: parsed.data } as ReadCall }; // parsed by the schema of `name`
}

/** Whether a tool of the assistant only reads the notebook. */
export function isReading(name: string): boolean {
  return READ_TOOLS.some((tool) => tool === name);
}

/** Performs a tool that only reads. */
export async function performReading(context: ToolContext, call: ReadCall): Promise<ToolOutcome> {
  switch (call.tool) {
    case 'get_notebook_state':
      return readState(context);
    case 'search_notebook':
      return search(context, call.args);
    case 'explain_cell':
      return explain(context, call.args);
    case 'describe_value':
      return describe(context, call.args);
    case 'look_at_figure':
      return lookAtFigure(context, call.args);
    default:
      return errorOutcome(`${call.tool} changes the notebook.`);
  }
}

/** Plans a change without making it. */
export function planChange(context: ToolContext, call: ReadCall): PlanOrRefusal {
  switch (call.tool) {
    case 'create_cell':
      return planCreate(context, call.args);
    case 'edit_cell':
      return planEdit(context, call.args);
    case 'delete_cell':
      return planDelete(context, call.args);
    case 'run_cell':
      return planRun(context, call.args);
    case 'add_package':
      return planAddPackage(context, call.args);
    default:
      return { outcome: errorOutcome(`${call.tool} only reads.`) };
  }
}
