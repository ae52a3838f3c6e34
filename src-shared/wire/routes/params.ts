import { z } from 'zod';

export const sessionParams = z.object({ sid: z.string().max(128) });
export const cellParams = sessionParams.extend({ cell_id: z.string().max(256) });
/** The longest source a cell may hold, in characters (semantics 13). */
export const MAX_SOURCE_CHARACTERS = 1_000_000;
export const authorField = z.string().max(128).optional();
