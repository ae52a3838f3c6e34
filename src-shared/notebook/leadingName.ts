/** Chooses the name that best describes a cell among those that it defines, for its title. */

/** Longer lines are truncated. */
const MAX_OF_A_LINE = 400;
const NAME = '[\\p{L}_][\\p{L}\\p{N}_]*';
/** Names on the left of `=`, also of `+=` and with a type; of `a, b = …` all of them. */
const ASSIGNED = new RegExp(
  `^\\s*[([]?(?<names>${NAME}(?:\\s*,\\s*\\*?${NAME})*)[,\\s]*[)\\]]?\\s*(?::[^=]+)?(?:[-+*/@%&|^<>]{1,2})?=(?!=)`,
  'u',
);
/** An assignment to a part of a value: `df["x"] = …`. */
const CHANGED = new RegExp(
  `^\\s*(?<names>${NAME})(?:\\.${NAME}|\\[[^\\]]*\\])+\\s*(?:[-+*/@%&|^<>]{1,2})?=(?!=)`,
  'u',
);
const DEFINED = new RegExp(`^\\s*(?:async\\s+)?(?:def|class)\\s+(?<names>${NAME})`, 'u');
/** An assignment in R. */
const ARROW = /^\s*(?<names>[\p{L}.][\p{L}\p{N}_.]*)\s*<<?-/u;
const BINDS = [DEFINED, ASSIGNED, CHANGED, ARROW];
/** Auxiliary names: of loops, and after the `as` of `with` and `except`. */
const PASSING =
  /^\s*(?:async\s+)?(?:for\s+(?<loop>[^:\s](?:[^:]*?[^:\s])?)\s+in\s|(?:with|except)\b(?<as>.*)$)/u;
const SHOWN = new RegExp(`^[(\\s]*(?:display\\(\\s*)?(?<name>${NAME})(?=[\\s.,[)]|$)`, 'u');

/**
 * The name that best describes a text, among those it defines: the one its last expression shows, else the
 * last unindented assignment, else an indented one, else one that is not a loop variable. Based on how lines
 * begin; strings and unusual code may give a poor choice, but always a name from the list.
 */
export function leadingName(defines: readonly string[], source: string): string | null {
  if (defines.length < 2) return defines[0] ?? null;
  const names = new Set(defines);
  // Last line first, because later lines describe a cell better.
  const lines = source
    .split('\n')
    .map((line) => line.slice(0, MAX_OF_A_LINE))
    .reverse();
  return (
    shownName(lines, names) ??
    lastBound(
      lines.filter((line) => /^\S/.test(line)),
      names,
    ) ??
    lastBound(lines, names) ??
    firstOf(defines, passingNames(lines))
  );
}

/** The name at the start of the last expression; for axes their figure, because that is shown. */
function shownName(lines: readonly string[], defined: ReadonlySet<string>): string | null {
  const at = lines.findIndex((line) => /^[^\s#)\]}]/.test(line));
  if (at === -1 || namesBound(lines[at] ?? '') !== null) return null;
  // A line of closing brackets is skipped.
  const name = SHOWN.exec(
    lines
      .slice(Math.max(at - 2, 0), at + 1)
      .reverse()
      .join('\n'),
  )?.groups?.['name'];
  if (name === undefined || !defined.has(name)) return null;
  const together = lines.map(namesBound).find((names) => names?.includes(name) === true);
  return together?.find((one) => one.startsWith('fig') && defined.has(one)) ?? name;
}

/** The first relevant name in the last line that binds one. */
function lastBound(lines: readonly string[], names: ReadonlySet<string>): string | null {
  for (const line of lines) {
    const name = namesBound(line)?.find((one) => names.has(one));
    if (name !== undefined) return name;
  }
  return null;
}

function namesBound(line: string): readonly string[] | null {
  for (const pattern of BINDS) {
    const names = pattern.exec(line)?.groups?.['names'];
    if (names !== undefined) return names.split(',').map((one) => one.replace('*', '').trim());
  }
  return null;
}

function passingNames(lines: readonly string[]): ReadonlySet<string> {
  const result = new Set<string>();
  for (const line of lines) {
    const { loop, as } = PASSING.exec(line)?.groups ?? {};
    const names = loop ?? [...(as ?? '').matchAll(/\bas\s+\(?([^,:)]+)/g)].map(([, name]) => name).join(' ');
    for (const [name] of names.matchAll(new RegExp(NAME, 'gu'))) result.add(name);
  }
  return result;
}

function firstOf(defines: readonly string[], passing: ReadonlySet<string>): string | null {
  return defines.find((name) => !passing.has(name)) ?? defines[0] ?? null;
}
