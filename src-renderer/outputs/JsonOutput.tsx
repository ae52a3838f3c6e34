/** Shows a JSON result: the preview first, and a button that loads the rest if the preview is only a part. */

import { useMemo, useState } from 'react';
import { parseStoredJson } from '../../src-shared/notebook/storedJson.ts';
import type { Output } from '../../src-shared/wire/output.ts';
import { Button } from '../ui/Button.tsx';
import { bytesText, WORDS } from '../words/strings.ts';
import { JsonTree } from './JsonTree.tsx';
import type { OutputPlace } from './useBlobText.ts';
import { useStoredText } from './useBlobText.ts';

/** Larger values are not offered: they are parsed in one step on the page's thread and would freeze it. */
const MAX_BYTES = 32 * 1024 * 1024;

/** A JSON value: the preview first; if that is only a part, a note and a button that loads the rest. */
export function JsonOutput({ output, ...place }: { output: Output } & OutputPlace) {
  const [wanted, setWanted] = useState(false);
  const stored = useStoredText(output, place, { wanted });
  const whole = useMemo(() => (stored.kind === 'text' ? parseJson(stored.text) : null), [stored]);
  if (output.preview_truncated !== true) return <JsonValue value={output.preview} />;
  if (whole !== null) return <JsonValue key="whole" value={whole.value} />;
  const unreadable = wanted && stored.kind !== 'loading';
  return (
    <>
      <div className="json-part" role="status">
        {unreadable ? WORDS.outputMissing : WORDS.jsonPart(bytesText(output.bytes))}
        {unreadable || output.artifact_uri === null || output.bytes > MAX_BYTES ? null : (
          <Button disabled={wanted} onClick={() => setWanted(true)}>
            {wanted ? WORDS.loadingWhole : WORDS.loadWhole}
          </Button>
        )}
      </div>
      <JsonValue value={output.preview} isPart />
    </>
  );
}

function JsonValue({ value, isPart = false }: { value: unknown; isPart?: boolean }) {
  if (typeof value === 'object' && value !== null) return <JsonTree value={value} isPart={isPart} />;
  return <pre className="output-text">{typeof value === 'string' ? value : JSON.stringify(value)}</pre>;
}

/** The value of a blob; null if it is not valid JSON. */
function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: parseStoredJson(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
