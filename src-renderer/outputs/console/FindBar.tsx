/** The search bar of one console log. (The bar that searches the whole notebook is find/FindBar.tsx.) */

import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { IconButton } from '../../ui/Button.tsx';
import { CONSOLE_WORDS } from '../../words/console.ts';
import { countText } from '../../words/strings.ts';
import type { LineRequest } from './ConsoleLines.tsx';
import type { ConsoleLog } from './consoleLog.ts';

/** A growing log is searched again this often, in ms. */
const AGAIN_MS = 250;

export interface Find {
  readonly open: boolean;
  readonly needle: string;
  readonly request: LineRequest | null;
  /** The numbers of the matching lines. */
  readonly found: readonly number[];
  readonly show: () => void;
  readonly hide: () => void;
  readonly look: (needle: string) => void;
  /** Goes to the next or the previous matching line; wraps around at the ends. */
  readonly step: (by: 1 | -1) => void;
}

/** The state of a search in one log. */
export function useFind(log: ConsoleLog, version: number): Find {
  const [open, setOpen] = useState(false);
  const [needle, setNeedle] = useState('');
  const [request, setRequest] = useState<LineRequest | null>(null);
  const searchedVersion = useThrottled(version, open);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log changes with its version
  const matches = useMemo(() => (open ? log.find(needle) : []), [open, log, searchedVersion, needle]);
  return {
    open,
    needle,
    request,
    found: matches,
    show: () => setOpen(true),
    hide: () => {
      setOpen(false);
      setRequest(null);
    },
    look: (text) => {
      setNeedle(text);
      const first = log.find(text)[0];
      setRequest(first === undefined ? null : { line: first });
    },
    step: (by) => {
      const at = matches.indexOf(request?.line ?? -1);
      const next = matches.at((at + by + matches.length) % Math.max(1, matches.length));
      if (next !== undefined) setRequest({ line: next });
    },
  };
}

/** `version`, updated at most every AGAIN_MS. */
function useThrottled(version: number, wanted: boolean): number {
  const [searchedVersion, setSearchedVersion] = useState(version);
  const waits = useRef<ReturnType<typeof setTimeout> | null>(null);
  const latest = useRef(version);
  latest.current = version;
  useEffect(() => {
    if (!wanted || version === searchedVersion || waits.current !== null) return;
    waits.current = setTimeout(() => {
      waits.current = null;
      setSearchedVersion(latest.current);
    }, AGAIN_MS);
  }, [version, searchedVersion, wanted]);
  useEffect(
    () => () => {
      if (waits.current !== null) clearTimeout(waits.current);
    },
    [],
  );
  return searchedVersion;
}

/** The search field, the current match, and the step buttons. Enter and Shift+Enter step, Escape closes. */
export function FindBar({ find }: { find: Find }) {
  const { needle, found, request } = find;
  const at = found.indexOf(request?.line ?? -1);
  const words =
    needle === ''
      ? ''
      : found.length === 0
        ? CONSOLE_WORDS.findNothing
        : CONSOLE_WORDS.findPlace(countText(at + 1), countText(found.length));
  return (
    <search className="find-bar">
      <input
        className="field find-field"
        type="search"
        // The person has just opened the search.
        // biome-ignore lint/a11y/noAutofocus: see above
        autoFocus
        aria-label={CONSOLE_WORDS.find}
        placeholder={CONSOLE_WORDS.find}
        value={needle}
        onChange={(event) => find.look(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') find.hide();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span className="find-place" role="status">
        {words}
      </span>
      <IconButton
        label={CONSOLE_WORDS.findPrevious}
        disabled={found.length === 0}
        onClick={() => find.step(-1)}
      >
        <ChevronUp />
      </IconButton>
      <IconButton label={CONSOLE_WORDS.findNext} disabled={found.length === 0} onClick={() => find.step(1)}>
        <ChevronDown />
      </IconButton>
      <IconButton label={CONSOLE_WORDS.findClose} onClick={find.hide}>
        <X />
      </IconButton>
    </search>
  );
}
