/**
 * The rules a person is shown: likely mistakes within one cell. Left out is what rests on other cells (unused imports,
 * undefined names, redefinitions), what is usual in notebooks (a bare expression, late imports, `== True` of a column), and
 * matters of style, which formatting settles.
 */
const RULES = [
  // Formats and their values, comparisons that are always true, statements in the wrong place, unused locals.
  ...['F50', 'F52', 'F54', 'F60', 'F63', 'F70', 'F841'],
  // A default that is changed, a loop variable that a function sees too late.
  ...['B006', 'B023'],
  ...['E711', 'E721', 'E722', 'PLE', 'PLR0133', 'PLW0127', 'PLW0129'],
  // Of pandas: what is out of use.
  ...['PD003', 'PD004', 'PD007', 'PD009'],
];

export const RUFF_SETTINGS = {
  'line-length': 100,
  lint: { select: RULES },
};
