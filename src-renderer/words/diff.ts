/** UI texts of a difference between two texts. */
export const DIFF_WORDS = {
  gap: (lines: number): string => (lines === 1 ? '1 unchanged line' : `${lines} unchanged lines`),
} as const;
