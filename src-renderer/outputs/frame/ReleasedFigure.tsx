import { useEffect, useState } from 'react';
import { OUTPUT_WORDS } from '../../words/outputs.ts';

/** Shown in place of a figure whose frame was removed to save memory: its picture, if any. `height` in CSS px. */
export function ReleasedFigure({ picture, height }: { picture: Blob | null; height: number }) {
  const [source, setSource] = useState<string | null>(null);
  useEffect(() => {
    if (picture === null) return;
    const address = URL.createObjectURL(picture);
    setSource(address);
    return () => {
      setSource(null);
      URL.revokeObjectURL(address);
    };
  }, [picture]);
  if (source === null) return <div className="output-frame-ahead" style={{ height }} />;
  return <img className="output-released" src={source} alt={OUTPUT_WORDS.kind.figure} style={{ height }} />;
}
