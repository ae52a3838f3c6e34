/** Names, descriptions and arguments of the assistant's tools, as sent to the model. */

import * as z from 'zod';
import type { AgentToolName } from '../../../src-shared/wire/assistant.ts';
import type { ToolSpec } from '../../ai/conversation.ts';

const MAX_SOURCE = 200_000;

const variable = z
  .string()
  .min(1)
  .max(256)
  .describe('A variable the cell defines; for a cell without one, its @name or its id.');

/** The arguments of each tool (docs/spec/prompts-and-ai.md, 7); the last four are extensions. */
export const TOOL_ARGUMENTS = {
  get_notebook_state: z.object({}),
  create_cell: z.object({
    source: z.string().max(MAX_SOURCE),
    language: z.enum(['python', 'prompt', 'markdown']).default('python'),
    after_variable: variable
      .nullish()
      .describe('Put the cell after the one that defines this; else at the end.'),
  }),
  edit_cell: z.object({ variable_name: variable, new_source: z.string().max(MAX_SOURCE) }),
  delete_cell: z.object({ variable_name: variable }),
  run_cell: z.object({ variable_name: variable }),
  add_package: z.object({
    package_spec: z.string().min(1).max(200).describe('A name, with versions if needed: pandas or numpy>=2.'),
  }),
  search_notebook: z.object({
    text: z.string().min(1).max(200).describe('Text to look for in sources and outputs.'),
  }),
  explain_cell: z.object({ variable_name: variable }),
  describe_value: z.object({ variable: z.string().min(1).max(256) }),
  look_at_figure: z.object({ variable_name: variable }),
} as const satisfies Record<AgentToolName, z.ZodObject>;

export type ArgumentsOf<T extends AgentToolName> = z.output<(typeof TOOL_ARGUMENTS)[T]>;

const DESCRIPTIONS: Readonly<Record<AgentToolName, string>> = {
  get_notebook_state: 'Read the declared packages and all cells with their sources.',
  create_cell: 'Add a cell with this source. It does not run.',
  edit_cell: 'Replace the whole source of a cell. It does not run.',
  delete_cell: 'Delete a cell. The person is asked first.',
  run_cell: 'Run a cell, and before it the cells it needs. Returns what it printed and showed.',
  add_package: 'Add a package to the notebook’s environment. The person is asked first.',
  search_notebook: 'Find text in the sources and outputs of cells.',
  explain_cell: 'Read why a cell is stale or failed, its last error and what it printed.',
  describe_value: 'Read the type of a stored variable; of a table its columns, with a summary of each.',
  look_at_figure: 'See the last figure that a cell shows, as a picture.',
};

const EXTRA_TOOLS: readonly AgentToolName[] = [
  'search_notebook',
  'explain_cell',
  'describe_value',
  'look_at_figure',
];

/** Tools that only read; several of them may run at the same time. */
export const READ_TOOLS: readonly AgentToolName[] = ['get_notebook_state', ...EXTRA_TOOLS];

/** Changes that always require confirmation, whatever the request says (docs/spec/prompts-and-ai.md, 7). */
export const CONFIRMED_TOOLS: readonly AgentToolName[] = ['delete_cell', 'add_package'];

/** The tools of a job, in the form for the model. */
export function toolSpecs({ extra }: { readonly extra: boolean }): readonly ToolSpec[] {
  const names = Object.keys(TOOL_ARGUMENTS) as AgentToolName[]; // keys of a literal
  return names
    .filter((name) => extra || !EXTRA_TOOLS.includes(name))
    .map((name) => {
      const { $schema: _schema, ...parameters } = z.toJSONSchema(TOOL_ARGUMENTS[name], { io: 'input' });
      return { name, description: DESCRIPTIONS[name], parameters };
    });
}

export function isToolName(name: string): name is AgentToolName {
  return Object.hasOwn(TOOL_ARGUMENTS, name);
}
