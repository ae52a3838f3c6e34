/** The prompts of the MCP endpoint: predefined requests that an agent's program shows as commands. */

import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';

interface Prompt {
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string }[];
  readonly text: (argumentValues: Readonly<Record<string, string>>) => string;
}

const SESSION = { name: 'session_id', description: 'Id of the open notebook' };
const CELL = { name: 'cell_id', description: 'Id of the cell' };

const PROMPTS: Readonly<Record<string, Prompt>> = {
  summarize_notebook: {
    title: 'Summarize a notebook',
    description: 'What the notebook does, and what is not up to date',
    arguments: [SESSION],
    text: ({ session_id }) =>
      `Read the notebook ${session_id} with get_notebook. Say in a few sentences what it does, which results it has, and which cells failed or are stale. Change and run nothing.`,
  },
  fix_error: {
    title: 'Fix a failing cell',
    description: 'Find out why a cell fails, and repair it',
    arguments: [SESSION, CELL],
    text: ({ session_id, cell_id }) =>
      `The cell ${cell_id} of the notebook ${session_id} fails. Read it with get_cell and its inputs with get_variable or evaluate. Explain the cause in one sentence, edit the cell that has the fault with edit_cell, run the cell again with run_cell, and say what you changed.`,
  },
  explain_stale: {
    title: 'Explain a stale cell',
    description: 'Why a cell must run again',
    arguments: [SESSION, CELL],
    text: ({ session_id, cell_id }) =>
      `Use explain for the cell ${cell_id} of the notebook ${session_id}. Say in plain words what changed since its last run and what running it again would do. Run nothing.`,
  },
};

/** Adds the prompts to a client's MCP server. */
export function addPrompts(server: Server): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: Object.entries(PROMPTS).map(([name, { title, description, arguments: declaredArguments }]) => ({
      name,
      title,
      description,
      arguments: declaredArguments.map((one) => ({ ...one, required: true })),
    })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: argumentValues = {} } }) => {
    const prompt = Object.hasOwn(PROMPTS, name) ? PROMPTS[name] : undefined;
    if (prompt === undefined) throw new McpError(ErrorCode.InvalidParams, `Unknown prompt: ${name}`);
    const missing = prompt.arguments.filter((one) => (argumentValues[one.name] ?? '') === '');
    if (missing.length > 0) {
      const names = missing.map((one) => one.name).join(', ');
      throw new McpError(ErrorCode.InvalidParams, `The prompt ${name} needs ${names}.`);
    }
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text: prompt.text(argumentValues) } }],
    };
  });
}
