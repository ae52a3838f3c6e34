/** The wire form of what a cell shows: displays, previews of variables, and warnings about changed values. */

import * as z from 'zod';

/** One display output in a cell, a frame or an execution result (docs/spec/rest-notebooks.md, 2.2). */
export const output = z.object({
  content_type: z.string(),
  /** In a harness result: the name of its file. A recorded display has none (docs/spec/values.md, 2). */
  file: z.string().optional(),
  rows: z.number().int().nullable(),
  columns: z.array(z.string()).nullable(),
  bytes: z.number().int(),
  artifact_uri: z.string().nullable(),
  preview: z.unknown(),
  inline_data_url: z.string().nullable(),
  markdown_text: z.string().nullable(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  error: z.string().nullable(),
  /** Extension: the preview is a part of the value; the blob route has all of it. */
  preview_truncated: z.literal(true).optional(),
  /** Extension, for a value that only Python reads: its repr, at most 4,000 characters. */
  text: z.string().optional(),
  /** Extension: the missing package because of which a table is shown in a simpler form. */
  lacks: z.string().optional(),
  /** Extension: the variant whose run showed it, in a cell that runs once per variant. */
  variant: z.string().optional(),
  /**
   * Extension, for a prompt's reply: the model and the usage of all attempts together; null if the provider
   * reports none.
   */
  usage: z
    .object({
      model: z.string(),
      input_tokens: z.number().int().nullable(),
      output_tokens: z.number().int().nullable(),
      validation_retries: z.number().int(),
    })
    .optional(),
});
export type Output = z.infer<typeof output>;

/** The preview of one stored variable: enough to show, never the value itself. */
export const outputPreview = z.object({
  content_type: z.string(),
  file: z.string().optional(),
  bytes: z.number().int().optional(),
  preview: z.unknown().optional(),
  rows: z.number().int().optional(),
  columns: z.array(z.string()).optional(),
  codec: z.string().optional(),
  type: z.string().optional(),
  error: z.string().optional(),
  /** Extension: the preview is a part of the value. */
  preview_truncated: z.literal(true).optional(),
  /** Extension, for a value that only Python reads: its repr, or the start of it. */
  text: z.string().optional(),
});
export type OutputPreview = z.infer<typeof outputPreview>;

export const mutationWarning = z.object({
  var_name: z.string(),
  message: z.string(),
  suggestion: z.string().nullable(),
  /** Added. The fix that the window offers: assign the name in this cell, or make it a set-up cell. */
  fix: z.enum(['keep', 'setup']).optional().catch(undefined),
});
export type MutationWarning = z.infer<typeof mutationWarning>;
