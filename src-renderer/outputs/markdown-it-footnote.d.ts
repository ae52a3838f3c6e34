/** The plugin comes without types. */
declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it';

  const footnotes: (markdown: MarkdownIt) => void;
  // biome-ignore lint/style/noDefaultExport: it is the plugin's
  export default footnotes;
}
