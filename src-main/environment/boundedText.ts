/** Keeps the end of the output of an environment job, within a limit. */

/** How many characters of each output stream a job keeps (docs/spec/notebook-file.md, 1). */
const MAX_STREAM_CHARACTERS = 12_000;

/** The end of a stream, where programs usually print errors. */
export interface BoundedText {
  readonly text: string;
  readonly truncated: boolean;
}

export const NO_TEXT: BoundedText = { text: '', truncated: false };

export function appendText({ text, truncated }: BoundedText, more: string): BoundedText {
  const whole = text + more;
  if (whole.length <= MAX_STREAM_CHARACTERS) return { text: whole, truncated };
  return { text: whole.slice(-MAX_STREAM_CHARACTERS), truncated: true };
}
