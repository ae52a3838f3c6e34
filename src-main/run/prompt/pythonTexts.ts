/**
 * Formats values as text for a prompt in a process of the notebook's Python, because no other program can format its
 * tables and arrays.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Placeholder } from '../../language/prompt/template.ts';
import { pythonRunner } from '../codeRunner.ts';
import { execRequestOf, type InputFiles } from '../execRequest.ts';
import type { PromptStep } from '../step.ts';
import type { StepOptions, StepTools } from '../stepTools.ts';
import { type AskPython, VALUE_ROOM } from './renderPrompt.ts';

/** The harness's file with a prompt's values, in the order of the request. */
const renderedFile = z.array(z.object({ text: z.string().nullable(), note: z.string().optional() }));

const RENDERED_FILE = 'prompt-values.json';

/** Renders values in a process of the notebook's Python, because only that can format a table or an array. */
export function pythonTexts(
  tools: Pick<StepTools, 'executor'>,
  request: PromptStep,
  run: { readonly files: InputFiles; readonly outputDir: string; readonly options: StepOptions },
): AskPython {
  return async (placeholders: readonly Placeholder[]) => {
    const roots = new Set(placeholders.map(({ root }) => root));
    const { interpreter } = request;
    if (interpreter === null) {
      const names = [...roots].map((name) => `\`${name}\``).join(', ');
      return {
        kind: 'failed',
        message: `The prompt reads ${names}, which needs the notebook’s Python environment. Create the environment first (Environment panel).`,
      };
    }
    const { files, outputDir, options } = run;
    const needed = Object.fromEntries(Object.entries(files).filter(([name]) => roots.has(name)));
    const outcome = await pythonRunner(tools.executor, interpreter).run(
      {
        ...execRequestOf({ ...request, source: '' }, needed, null),
        runId: options.runId,
        store: [],
        outputDir,
        promptValues: {
          room: VALUE_ROOM,
          values: placeholders.map(({ root, steps }) => ({
            root,
            steps: steps.map(({ name, arguments: call }) => ({ name, arguments: call })),
          })),
        },
      },
      { signal: options.signal, onConsole: options.onConsole },
    );
    switch (outcome.kind) {
      case 'cancelled':
        return { kind: 'cancelled' };
      case 'timeout':
      case 'crashed':
        return {
          kind: 'failed',
          message: `The values of the prompt could not be rendered. ${outcome.message}`,
        };
      case 'finished': {
        if (!outcome.result.success) return { kind: 'failed', message: outcome.result.error };
        const text = await readFile(join(outputDir, RENDERED_FILE), 'utf8');
        return { kind: 'texts', texts: renderedFile.parse(JSON.parse(text)).map(plain) };
      }
      default:
        return outcome satisfies never;
    }
  };
}

function plain({ text, note }: z.infer<typeof renderedFile>[number]) {
  return note === undefined ? { text } : { text, note };
}
