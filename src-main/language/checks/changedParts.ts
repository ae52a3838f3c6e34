/**
 * Whether an assignment below a value (`grid[0][1] = 5`) can change a part that another cell took out of it
 * (`row = grid[0]`). Reads the first step of both paths from the text of the cells.
 */

const STEP = String.raw`\.\w+|\[[^\[\]]*\]`;
/** Matches `=`, `+=` and the like, but not `==`. */
const ASSIGNS = String.raw`\s*(?:[-+*/%&|^@]|//|\*\*|<<|>>)?=(?!=)`;
const CONSTANT = /^(?:\.\w+|\[\s*(?:-?\d+|"[^"]*"|'[^']*')\s*\])$/;

/**
 * @param taken the cell that assigns `part` from `name`; the name may be reached over others: then any step may be it
 */
export function canChangePart(
  name: string,
  source: string,
  taken: { readonly part: string; readonly source: string },
): boolean {
  const took = new RegExp(`(?<![\\w.])${taken.part}\\s*=\\s*${name}(${STEP})`, 'u').exec(taken.source)?.[1];
  const targets = source.matchAll(new RegExp(`(?<![\\w.])${name}((?:${STEP})+)${ASSIGNS}`, 'gu'));
  return [...targets].some(([, path = '']) => {
    const step = containerStep(path);
    return step !== null && mayBeSame(step, took ?? null);
  });
}

/** The first step of a path if the assignment is below it: `[0]` of `[0][1]` and of `[0, 1]`; null for `[0]` alone. */
function containerStep(path: string): string | null {
  const [first = '', second] = [...path.matchAll(new RegExp(STEP, 'gu'))].map(([step]) => step);
  if (second !== undefined) return first;
  const row = /^\[([^,]*),/.exec(first)?.[1];
  return row === undefined ? null : `[${row.trim()}]`;
}

function mayBeSame(one: string, other: string | null): boolean {
  if (other === null || !CONSTANT.test(one) || !CONSTANT.test(other)) return true;
  return plain(one) === plain(other);
}

function plain(step: string): string {
  return step.replaceAll(/\s/g, '').replaceAll("'", '"');
}
