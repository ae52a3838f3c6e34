import * as z from 'zod';

/** One display output as a cell, a frame or an execution result carries it (rest-notebooks 2.2). */
export const output = z.object({
  content_type: z.string(),
  /** Of a run that was just made: the name of its file there. A recorded display has none (values 2). */
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
  /** Ours: the preview is a part of the value; the blob route has all of it. */
  preview_truncated: z.literal(true).optional(),
  /** Ours, of a value that only Python reads: its repr, at most 4,000 characters. */
  text: z.string().optional(),
  /** Ours: the package whose lack made a table less than a table. */
  lacks: z.string().optional(),
  /** Ours: which variant's run showed it, in a cell that runs once per variant. */
  variant: z.string().optional(),
  /** Ours, of a prompt's answer: who gave it and what that took, all attempts together; null where nobody counts. */
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

/** What a run says of one variable it stored: enough to show, never the value itself. */
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
  /** Ours: the preview is a part of the value. */
  preview_truncated: z.literal(true).optional(),
  /** Ours, of a value that only Python reads: its repr, or the beginning of it. */
  text: z.string().optional(),
});
export type OutputPreview = z.infer<typeof outputPreview>;

export const mutationWarning = z.object({
  var_name: z.string(),
  message: z.string(),
  suggestion: z.string().nullable(),
  /** Added. What the window offers: assign the name in this cell, or make it a set-up cell. */
  fix: z.enum(['keep', 'setup']).optional().catch(undefined),
});
export type MutationWarning = z.infer<typeof mutationWarning>;
