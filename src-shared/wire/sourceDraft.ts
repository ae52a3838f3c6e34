/** The wire form of unsaved texts of cells (drafts). */

import * as z from 'zod';
import { language } from './cell.ts';

/**
 * Maximum length of a stored draft: more than a cell may have, because it may be a text that is too long for
 * a cell.
 */
export const MAX_DRAFT_TEXT = 4_000_000;

const draftFields = {
  text: z.string().max(MAX_DRAFT_TEXT),
  /** The text the edit started from. */
  base: z.string().max(MAX_DRAFT_TEXT),
  /** The name and language of its cell, which may be deleted. */
  name: z.string(),
  language,
};

/**
 * Extension: text typed into a cell that the server does not have, until a user decides which text stays.
 */
export const sourceDraft = z.object(draftFields);
export type SourceDraft = z.infer<typeof sourceDraft>;

/** A stored draft. `window`: its owner, because several windows may have a draft of the same cell. */
export const storedSourceDraft = z.object({ cell_id: z.string(), window: z.string(), ...draftFields });
export type StoredSourceDraft = z.infer<typeof storedSourceDraft>;
