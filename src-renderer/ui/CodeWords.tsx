import type { ReactNode } from 'react';

/** Shows a sentence of the UI whose parts between backticks are shown as code. */
export function CodeWords({ text }: { text: string }): ReactNode {
  const parts = text.split('`');
  // With an odd number of backticks, one of them belongs to the text.
  if (parts.length % 2 === 0) return text;
  let start = 0;
  return parts.map((part, at) => {
    const key = start;
    start += part.length + 1;
    return at % 2 === 0 ? part : <code key={key}>{part}</code>;
  });
}
