/** Limits how deeply the tables and lists of notebook.toml may be nested. */

/** The maximum nesting of tables and lists: more than real files have, and safe for the stack of every reader. */
export const MAX_TOML_DEPTH = 100;

/**
 * Whether tables and lists are nested deeper than that; not recursive itself. @param at the depth of the
 * value itself: 1 for a document
 */
export function isTooDeep(value: object, at = 1): boolean {
  let level: readonly object[] = [value];
  for (let depth = at; level.length > 0; depth += 1) {
    if (depth > MAX_TOML_DEPTH) return true;
    level = level.flatMap((one) =>
      Object.values(one).filter((inner): inner is object => typeof inner === 'object' && inner !== null),
    );
  }
  return false;
}
