/** Tables and lists within one another: more than anybody writes, fewer than any reader's stack takes. */
export const MAX_TOML_DEPTH = 100;

/** Whether tables and lists lie deeper within one another than that; itself without a stack. */
export function isTooDeep(document: object): boolean {
  let level: readonly object[] = [document];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_TOML_DEPTH) return true;
    level = level.flatMap((one) =>
      Object.values(one).filter((value): value is object => typeof value === 'object' && value !== null),
    );
  }
  return false;
}
