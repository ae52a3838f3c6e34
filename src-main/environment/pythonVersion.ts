/** Reads Python version specifiers (`>=3.10,<3.13`), to choose the Python of a notebook's environment. */

/** One condition of a version specifier, such as `>=3.10`. */
interface Clause {
  readonly operator: string;
  readonly parts: readonly number[];
  readonly wildcard: boolean;
}

/**
 * Whether a released version such as `3.12.1` satisfies a specifier such as `>=3.10,<3.13` or `==3.12.*`.
 * An empty specifier admits every version; an invalid one admits none.
 */
export function fitsSpecifier(version: string, specifier: string): boolean {
  const clauses = clausesOf(specifier);
  const parts = version.split('.').map(Number);
  return clauses?.every((clause) => satisfies(parts, clause)) ?? false;
}

/** The one minor version that a specifier requests (`==3.12.*` → `3.12`), or '' when it allows several. */
export function requestedMinor(specifier: string): string {
  const pinnedClause = clausesOf(specifier)?.find(({ operator, parts, wildcard }) => {
    const exact = operator === '==' && (parts.length === 3 || (parts.length === 2 && wildcard));
    return exact || (operator === '~=' && parts.length === 3);
  });
  return pinnedClause === undefined ? '' : pinnedClause.parts.slice(0, 2).join('.');
}

function clausesOf(specifier: string): readonly Clause[] | null {
  const clauses: Clause[] = [];
  for (const text of specifier.split(',').map((part) => part.trim())) {
    if (text === '') continue;
    const match = /^(===|==|!=|~=|>=|<=|>|<)\s*(\d+(?:\.\d+)*)(\.\*)?$/.exec(text);
    const [, operator, release, wildcard] = match ?? [];
    if (operator === undefined || release === undefined) return null;
    clauses.push({ operator, parts: release.split('.').map(Number), wildcard: wildcard !== undefined });
  }
  return clauses;
}

function satisfies(version: readonly number[], { operator, parts, wildcard }: Clause): boolean {
  const order = compare(version, parts);
  const sameStart = parts.every((part, index) => version[index] === part);
  switch (operator) {
    case '===':
      return !wildcard && order === 0 && version.length === parts.length;
    case '==':
      return wildcard ? sameStart : order === 0;
    case '!=':
      return wildcard ? !sameStart : order !== 0;
    case '~=':
      return order >= 0 && parts.slice(0, -1).every((part, index) => version[index] === part);
    case '>=':
      return order >= 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order < 0;
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
