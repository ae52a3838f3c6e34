/** The end of what a tool said, for a person to read. */
export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-12).join('\n') || 'it says nothing';
}
