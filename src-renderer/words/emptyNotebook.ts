/** UI texts of a notebook without cells. */
export const EMPTY_WORDS = {
  title: 'Nothing here yet',
  text: 'Results are stored, so nothing is computed twice.',
  code: 'Write code',
  codeHint: 'A Python cell. Type / in it for other languages and snippets.',
  data: 'Read a file',
  dataHint: 'CSV, Parquet, Excel, JSON or SQLite. Or drop it on the page.',
  write: 'Write text',
  writeHint: 'Markdown with formulas, pictures and values of cells.',
} as const;
