/** The settings. */
export const SETTINGS_WORDS = {
  title: 'Settings',
  about: 'Settings are stored on this machine, apply to all notebooks, and take effect immediately.',
  appearance: 'Appearance',
  theme: 'Theme',
  themes: { auto: 'System', light: 'Light', dark: 'Dark' },
  contrast: 'High contrast',
  contrastHint: 'Stronger borders and text. When off, follows the system setting.',
  motion: 'Reduce motion',
  motionHint: 'Turns animations off. When off, follows the system setting.',
  code: 'Code',
  codeSize: 'Code font size',
  pixels: (size: number): string => `${size} px`,
  ligatures: 'Ligatures in code',
  lines: 'Line numbers and folding',
  linesHint: 'Numbers the lines of code, and marks blocks that can be folded while a cell is edited.',
  ligaturesHint: 'Draws pairs such as != and >= as one symbol.',
  ai: 'AI',
  prices: 'Prices of AI models',
  pricesHint:
    'USD per million tokens: model, input, output. Separate models by semicolons. The assistant then shows what tokens cost.',
  pricesWrong: (entries: readonly string[]): string =>
    `Write model, input price and output price: ${entries.join('; ')}`,
  suggestions: 'AI suggestions while typing',
  suggestionsHint:
    'Shows a suggestion in grey at the caret: Tab accepts it. After each pause, the text of the cell and the other cells go to the AI provider of the notebook.',
  notebook: 'Notebook',
  wide: 'Wide column',
  wideHint: 'Cells use the full width of the window.',
  notify: 'Notify when a long run ends',
  notifyHint: 'A notification after a run of more than 10 s, if the window is hidden.',
  notifyDenied:
    'The browser blocks notifications of this page. Allow them in the settings of the browser first.',
  preview: 'Preview',
  reset: 'Reset to defaults',
  done: 'Done',
} as const;
