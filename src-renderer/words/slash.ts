/** UI texts of the menu that `/` opens in an empty cell. */
export const SLASH_WORDS = {
  title: 'Language or snippet',
  tip: 'Type / for languages and snippets',
  hint: 'Arrow keys to choose, Enter to insert, Escape to keep the text',
  nothing: 'No match. Press Escape to keep the text.',
  notRead: (problem: string): string => `Your own snippets are not shown. ${problem}`,
  snippet: {
    csv: 'Read a CSV file',
    group: 'Group and sum',
    line: 'Line chart',
    bar: 'Bar chart',
    function: 'Function',
    select: 'Select rows',
    count: 'Count by group',
    heading: 'Heading',
    callout: 'Callout',
    table: 'Markdown table',
    diagram: 'Diagram',
  },
} as const;
