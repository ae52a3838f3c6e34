/** Contract of the route by which the editor gets help while a user writes Python, such as completion. */

import * as z from 'zod';
import type { RouteContract } from './contract.ts';
import { cellParams } from './params.ts';

const CELL = '/v1/notebooks/{sid}/x/cells/{cell_id}';
/** The maximum length of a cell's text, in characters. */
const MAX_SOURCE = 4_000_000;

/** A position in a cell's text: lines and UTF-16 units from 0. */
const textPosition = z.object({ line: z.number().int().min(0), character: z.number().int().min(0) });
const textSpan = z.object({ start: textPosition, end: textPosition });
export type TextSpan = z.infer<typeof textSpan>;

/** The text of the cell in the editor, and the cursor position. */
const source = z.string().max(MAX_SOURCE);
const at = { source, position: textPosition };

const languageQuestion = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('complete'), ...at }),
  /** The documentation of an item of the newest list. */
  z.object({ ask: z.literal('document'), item: z.string().max(100) }),
  z.object({ ask: z.literal('hover'), ...at }),
  z.object({ ask: z.literal('signature'), ...at }),
  z.object({ ask: z.literal('definition'), ...at }),
  z.object({ ask: z.literal('references'), ...at }),
  /** `name` null only checks whether the name can be renamed. */
  z.object({ ask: z.literal('rename'), ...at, name: z.string().max(200).nullable() }),
  z.object({ ask: z.literal('diagnostics'), source }),
  z.object({ ask: z.literal('format'), source }),
]);
export type LanguageQuestion = z.infer<typeof languageQuestion>;

export const completionKind = z.enum([
  ...['column', 'key', 'variable', 'field', 'property', 'method', 'function', 'class', 'module', 'argument'],
  ...['constant', 'keyword', 'text'],
] as const);

const completionItem = z.object({
  label: z.string(),
  kind: completionKind,
  /** The type or the origin of the item, in at most a line. */
  detail: z.string(),
  insert: z.string(),
  /** The replaced range, if it is not the word at the position. */
  replaces: textSpan.nullable(),
  /** Known from the last run, not from the code. */
  from_run: z.boolean(),
  /** Identifies it in a `document` question; null: it has no documentation. */
  item: z.string().nullable(),
});
export type CompletionItem = z.infer<typeof completionItem>;

const signatureAnswer = z.object({
  label: z.string(),
  documentation: z.string(),
  /** Where in the label each parameter is. */
  parameters: z.array(z.object({ from: z.number().int(), to: z.number().int(), documentation: z.string() })),
  active: z.number().int().nullable(),
});

/** A position in a cell, or in a file outside the cells, with the lines around it. */
const languagePlace = z.discriminatedUnion('in', [
  z.object({ in: z.literal('cell'), cell_id: z.string(), span: textSpan }),
  z.object({
    in: z.literal('file'),
    path: z.string(),
    /** A file of the notebook's folder. */
    local: z.boolean(),
    span: textSpan,
    /** The lines around the position, the first of them `first_line` (from 0). */
    text: z.string(),
    first_line: z.number().int(),
  }),
]);
export type LanguagePlace = z.infer<typeof languagePlace>;

const renameEdit = z.object({ cell_id: z.string(), span: textSpan, text: z.string() });
const languageFault = z.object({
  span: textSpan,
  severity: z.enum(['error', 'warn', 'info']),
  code: z.string(),
  message: z.string(),
  /** The obvious fix. */
  fix: z
    .object({ title: z.string(), edits: z.array(z.object({ span: textSpan, text: z.string() })) })
    .nullable(),
});
export type LanguageFault = z.infer<typeof languageFault>;

/**
 * `ready`: the request is answered, as far as possible. `starting`: the server is starting, or being downloaded. `off`:
 * there is no server, and `words` has the reason. Results of the last run are included in any case.
 */
const languageAnswer = z.object({
  state: z.enum(['ready', 'starting', 'off']),
  words: z.string().nullable(),
  items: z.array(completionItem).optional(),
  /** Markdown. */
  markdown: z.string().nullable().optional(),
  /** For a hover, the value of the last run, as Markdown. */
  value: z.string().nullable().optional(),
  span: textSpan.nullable().optional(),
  signatures: z.array(signatureAnswer).optional(),
  active_signature: z.number().int().optional(),
  places: z.array(languagePlace).optional(),
  edits: z.array(renameEdit).optional(),
  /** For a rename: the current name; null if nothing here can be renamed, with the reason in `words`. */
  renames: z.string().nullable().optional(),
  faults: z.array(languageFault).optional(),
  /** The formatted text; null if it cannot be formatted, with the reason in `words`. */
  text: z.string().nullable().optional(),
});
export type LanguageAnswer = z.infer<typeof languageAnswer>;

/** The editor's requests while a user writes Python (docs/extensions.md). */
export const LANGUAGE_ROUTES = {
  askLanguage: {
    method: 'POST',
    path: `${CELL}/language`,
    summary:
      'Completion, documentation, definitions, references, renames, diagnostics and formatting of a Python cell being edited',
    scope: 'notebook:execute',
    params: cellParams,
    body: languageQuestion,
    response: languageAnswer,
    errors: [404, 422],
  },
} as const satisfies Record<string, RouteContract>;
