/** Types of markdown-it-footnote, the Markdown plugin for footnotes, which has none of its own. */
declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it';

  const footnotes: (markdown: MarkdownIt) => void;
  // biome-ignore lint/style/noDefaultExport: the plugin has a default export
  export default footnotes;
}
