/**
 * The ruff rules whose findings are shown to users: likely mistakes within one cell. Left out are rules that depend on
 * other cells (unused imports, undefined names, redefinitions), rules about what is usual in notebooks (a bare
 * expression, late imports, `== True` with a column), and matters of style, which formatting settles.
 */
const RULES = [
  // Formats and their values, comparisons that are always true, statements in the wrong place, unused locals.
  ...['F50', 'F52', 'F54', 'F60', 'F63', 'F70', 'F841'],
  // Mutable default arguments, and loop variables that a function reads too late.
  ...['B006', 'B023'],
  ...['E711', 'E721', 'E722', 'PLE', 'PLR0133', 'PLW0127', 'PLW0129'],
  // Deprecated uses of pandas.
  ...['PD003', 'PD004', 'PD007', 'PD009'],
];

export const RUFF_SETTINGS = {
  'line-length': 100,
  lint: { select: RULES },
};
