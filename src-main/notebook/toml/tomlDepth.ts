/** Tables and lists within one another: more than anybody writes, fewer than any reader's stack takes. */
export const MAX_TOML_DEPTH = 100;

/**
 * Whether tables and lists lie deeper within one another than that; itself without a stack.
 * @param at how deep the value itself lies: a document 1
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
