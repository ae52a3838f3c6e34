/** Words of a difference between two texts. */
export const DIFF_WORDS = {
  gap: (lines: number): string => `${lines} unchanged lines`,
} as const;
