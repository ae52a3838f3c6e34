/** UI texts of Vim's keys. */
export const VIM_WORDS = {
  saved: 'Cellar saves cells as you type.',
} as const;
