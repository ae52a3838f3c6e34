/** The end of a tool's output, for an error message. */
export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-12).join('\n') || 'no output';
}
