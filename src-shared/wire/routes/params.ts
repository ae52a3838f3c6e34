/** Fields that the contracts of many routes share: ids in paths, sources, authors, numbers and flags. */

import * as z from 'zod';

/** Of any length: an invalid id is treated like an unknown one (docs/spec/rest-notebooks.md, 1, 3.2). */
export const sessionParams = z.object({ sid: z.string() });
export const cellParams = sessionParams.extend({ cell_id: z.string() });
/** The maximum length of a cell's source, in characters (docs/spec/notebook-file.md, 1). */
export const MAX_SOURCE_CHARACTERS = 1_000_000;

/** Counts characters like the schemas do, which may be two code units; only if the length does not decide. */
export function isSourceTooLong(text: string): boolean {
  if (text.length <= MAX_SOURCE_CHARACTERS) return false;
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) pairs += 1;
  return text.length - pairs > MAX_SOURCE_CHARACTERS;
}

/** Null counts as absent: clients in many languages send missing values as null. */
export const authorField = z.string().max(128).nullish();

const INTEGER = /^\s*[+-]?\d+\s*$/;

/** A whole number in a path or a query. Empty text is invalid: a client omitted a value by mistake. */
export const integerField = z
  .union([z.string(), z.number()])
  .transform((value, context) => {
    if (INTEGER.test(String(value))) return Number(value);
    context.issues.push({ code: 'invalid_type', expected: 'int', input: value });
    return z.NEVER;
  })
  .pipe(z.int());

const FLAG = /^(true|True|TRUE|1|yes|Yes|YES|on|On|ON|false|False|FALSE|0|no|No|NO|off|Off|OFF)$/;

/** A boolean in a query, in any of the usual forms. */
export const flagField = z.string().regex(FLAG, 'Input should be a valid boolean');

/** The value of a flag in a query; absent is false. */
export function isTrueText(text: string | undefined): boolean {
  return text !== undefined && /^(true|1|yes|on)$/i.test(text);
}
