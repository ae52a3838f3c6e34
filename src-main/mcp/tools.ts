/** The table of all MCP tools, and how they are described to a client. */

import * as z from 'zod';
import type { Tool } from './tool.ts';
import { EDITING_TOOLS } from './tools/editing.ts';
import { EXTRA_TOOLS } from './tools/extras.ts';
import { PUBLISHING_TOOLS } from './tools/publishing.ts';
import { READING_TOOLS } from './tools/reading.ts';
import { RUNNING_TOOLS } from './tools/running.ts';
import { WORKER_TOOLS } from './tools/workers.ts';

/** Every tool by its name (docs/spec/mcp.md, 2). */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  Object.entries({
    ...READING_TOOLS,
    ...EDITING_TOOLS,
    ...RUNNING_TOOLS,
    ...WORKER_TOOLS,
    ...PUBLISHING_TOOLS,
    ...EXTRA_TOOLS,
  }),
);

interface ObjectSchema {
  readonly [key: string]: unknown;
  readonly type: 'object';
}

/** A tool in the form of `tools/list`. */
interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
}

let listed: readonly ListedTool[] | null = null;

/** All tools with their schemas; created once, on first use. */
export function listTools(): readonly ListedTool[] {
  listed ??= [...TOOLS].map(([name, { title, description, input, output, scope, destructive }]) => ({
    name,
    title,
    description,
    inputSchema: schemaOf(input),
    outputSchema: schemaOf(isList(output) ? z.object({ result: output }) : output),
    annotations: {
      title,
      readOnlyHint: scope === 'notebook:read' && name !== 'save_cell_output',
      destructiveHint: destructive === true,
      openWorldHint: scope === 'notebook:execute' || scope === 'artifacts:publish',
    },
  }));
  return listed;
}

/** Structured results are objects: a list is in the field `result`. */
export function isList(output: z.ZodType): boolean {
  return output instanceof z.ZodArray;
}

/**
 * The JSON schema of a tool's result in the form for inputs: a newer server may return more fields than its schema has.
 */
function schemaOf(schema: z.ZodType): ObjectSchema {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  });
  return { ...rest, type: 'object' };
}
