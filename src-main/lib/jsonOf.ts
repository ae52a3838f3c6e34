/** Parsed JSON, or undefined for text that is none: what was cut short while it was written, or is something else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
