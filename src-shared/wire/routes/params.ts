import * as z from 'zod';

/** Of any length: an id that cannot be one is as unknown as any other (rest-notebooks 1, 3.2). */
export const sessionParams = z.object({ sid: z.string() });
export const cellParams = sessionParams.extend({ cell_id: z.string() });
/** The longest source a cell may hold, in characters (notebook-file 1). */
export const MAX_SOURCE_CHARACTERS = 1_000_000;

/** Counts characters as the schemas do, which are not always one unit; only where the cheap measure does not decide. */
export function isSourceTooLong(text: string): boolean {
  if (text.length <= MAX_SOURCE_CHARACTERS) return false;
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) pairs += 1;
  return text.length - pairs > MAX_SOURCE_CHARACTERS;
}

/** Null as good as absent: clients of many languages send what is not there as null. */
export const authorField = z.string().max(128).nullish();

const INTEGER = /^\s*[+-]?\d+\s*$/;

/** A whole number as an address or a query spells it. Nothing is none: a client left a value out by mistake. */
export const integerField = z
  .union([z.string(), z.number()])
  .transform((value, context) => {
    if (INTEGER.test(String(value))) return Number(value);
    context.issues.push({ code: 'invalid_type', expected: 'int', input: value });
    return z.NEVER;
  })
  .pipe(z.int());

const FLAG = /^(true|True|TRUE|1|yes|Yes|YES|on|On|ON|false|False|FALSE|0|no|No|NO|off|Off|OFF)$/;

/** A truth value as a query spells it, in any of the ways clients do. */
export const flagField = z.string().regex(FLAG, 'Input should be a valid boolean');

/** What a query says by such a text; nothing said is no. */
export function isYes(text: string | undefined): boolean {
  return text !== undefined && /^(true|1|yes|on)$/i.test(text);
}
