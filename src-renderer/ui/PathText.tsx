/** Shows a file path in a narrow place: its middle is cut if there is not enough room. */

import './pathText.css';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './Button.tsx';
import { pathParts } from './pathParts.ts';

/** A path with a copy button. If there is not enough room, its middle is cut. */
export function PathText({
  path,
  copyLabel,
  copiedLabel,
}: {
  path: string;
  copyLabel: string;
  copiedLabel: string;
}) {
  const [isCopied, setIsCopied] = useState(false);
  const { start, end } = pathParts(path);
  return (
    <span className="path-text">
      <bdi className="path-parts" title={path}>
        <span className="path-start">{start}</span>
        <span className="path-end">{end}</span>
      </bdi>
      <IconButton
        label={isCopied ? copiedLabel : copyLabel}
        onClick={() => {
          // Without permission to copy, the path can still be selected.
          navigator.clipboard.writeText(path).then(
            () => setIsCopied(true),
            (error: unknown) => console.warn('the path was not copied', error),
          );
        }}
        onBlur={() => setIsCopied(false)}
      >
        {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      </IconButton>
    </span>
  );
}
