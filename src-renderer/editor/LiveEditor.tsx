import { useEffect, useRef, useState } from 'react';
import type { Language } from '../../src-shared/wire/cell.ts';
import { EDITOR_LANGUAGE } from './language.ts';
import type { LiveHost } from './liveHost.ts';
import { liveHost } from './liveHost.ts';

export interface Caret {
  readonly line: number;
  readonly column: number;
}

/**
 * The one live editor, on the cell being edited. Until the editor's chunk is there a plain text area takes its
 * place, so that typing never waits.
 */
export function LiveEditor(props: {
  cellId: string;
  source: string;
  language: Language;
  label: string;
  caret: Caret | null;
  onType: (text: string) => void;
  onBlur: () => void;
}) {
  const [host, setHost] = useState<LiveHost | null>(null);
  useEffect(() => {
    let gone = false;
    liveHost().then(
      (loaded) => {
        if (!gone) setHost(loaded);
      },
      (error: unknown) => console.error('the editor did not load; a plain text box stands in', error),
    );
    return () => {
      gone = true;
    };
  }, []);
  return host === null ? <PlainEditor {...props} /> : <HostedEditor host={host} {...props} />;
}

function HostedEditor(props: Parameters<typeof LiveEditor>[0] & { host: LiveHost }) {
  const { host, cellId, source, language, label } = props;
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (place.current === null) return;
    return host.attach({
      cellId,
      element: place.current,
      source: latest.current.source,
      language: EDITOR_LANGUAGE[language],
      label,
      caret: latest.current.caret,
      onType: (text) => latest.current.onType(text),
      onBlur: () => latest.current.onBlur(),
    });
  }, [host, cellId, language, label]);
  // A source that changed elsewhere replaces the text; one's own typing comes back equal.
  useEffect(() => host.replaceText(cellId, source), [host, cellId, source]);
  return <div className="live-editor" ref={place} data-editor="live" />;
}

function PlainEditor(props: Parameters<typeof LiveEditor>[0]) {
  const { source, label, onType, onBlur } = props;
  return (
    <textarea
      className="plain-editor"
      // The person has just asked to edit this very text.
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus
      aria-label={label}
      spellCheck={false}
      rows={Math.max(1, source.split('\n').length)}
      value={source}
      onChange={(event) => onType(event.target.value)}
      onBlur={onBlur}
      data-editor="plain"
    />
  );
}
