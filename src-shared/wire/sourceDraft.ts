import * as z from 'zod';
import { language } from './cell.ts';

/** The longest text kept of one draft: more than a cell holds, for it may be one that is too long for it. */
export const MAX_DRAFT_TEXT = 4_000_000;

const draftFields = {
  text: z.string().max(MAX_DRAFT_TEXT),
  /** The text it was made from. */
  base: z.string().max(MAX_DRAFT_TEXT),
  /** What its cell was called and held, for the cell may be deleted. */
  name: z.string(),
  language,
};

/** Ours: words typed into a cell that the server does not have, until a person says which text stays. */
export const sourceDraft = z.object(draftFields);
export type SourceDraft = z.infer<typeof sourceDraft>;

/** One that is kept. `window`: whose it is, for several may have one of the same cell. */
export const keptSourceDraft = z.object({ cell_id: z.string(), window: z.string(), ...draftFields });
export type KeptSourceDraft = z.infer<typeof keptSourceDraft>;
