/** UI texts about what is wrong in a cell. */
export const FAULT_WORDS = {
  list: (name: string): string => `Problems in ${name}`,
  count: (count: number): string => (count === 1 ? '1 problem' : `${count} problems`),
  line: (line: number): string => `line ${line}`,
  goToLine: (line: number): string => `Show line ${line}`,
  severity: { error: 'error', warn: 'warning', info: 'note' },
  more: (count: number): string => `${count} more`,
  fewer: 'Show fewer',
  nothingToFix: 'no quick fix available',
  nothingWrong: 'no problems',
} as const;
