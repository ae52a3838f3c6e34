/** Does not load an output that is too large until the user chooses to show it. */

import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Output } from '../../src-shared/wire/output.ts';
import { Button } from '../ui/Button.tsx';
import { OUTPUT_WORDS } from '../words/outputs.ts';
import { bytesText } from '../words/strings.ts';
import { download } from './OutputMenu.tsx';
import type { OutputPlace } from './useBlobText.ts';
import { wholeText } from './useBlobText.ts';

/** Outputs up to this size are loaded without asking. */
const ASK_BYTES = 16 * 1024 * 1024;
/** Larger outputs are never loaded into the page; they can be downloaded. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Keeps an output that could freeze or fill the page out of it until the person chooses to show it. */
export function LargeGuard(props: { output: Output; place: OutputPlace; children: ReactNode }) {
  const { output, place, children } = props;
  const [wanted, setWanted] = useState(false);
  if (wanted || output.bytes <= ASK_BYTES || wholeText(output) !== null) return children;
  return (
    <div className="json-part" role="status">
      {OUTPUT_WORDS.tooLarge(bytesText(output.bytes))}
      <Button onClick={() => void download(output, place)}>{OUTPUT_WORDS.download}</Button>
      {output.bytes > MAX_BYTES ? null : (
        <Button onClick={() => setWanted(true)}>{OUTPUT_WORDS.showAnyway}</Button>
      )}
    </div>
  );
}
