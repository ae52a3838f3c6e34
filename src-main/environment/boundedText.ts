/** Characters of each stream that a job keeps (notebook-file 1). */
export const MAX_STREAM_CHARACTERS = 12_000;

/** What is kept of a stream: its end, which is where programs say what went wrong. */
export interface BoundedText {
  readonly text: string;
  readonly truncated: boolean;
}

export const NO_TEXT: BoundedText = { text: '', truncated: false };

export function appended({ text, truncated }: BoundedText, more: string): BoundedText {
  const whole = text + more;
  if (whole.length <= MAX_STREAM_CHARACTERS) return { text: whole, truncated };
  return { text: whole.slice(-MAX_STREAM_CHARACTERS), truncated: true };
}
