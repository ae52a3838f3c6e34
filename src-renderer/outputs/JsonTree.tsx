/** Shows a JSON value as a tree whose nodes open and close, with a search field for larger trees. */

import { useMemo, useState } from 'react';
import { OUTPUT_WORDS } from '../words/outputs.ts';
import { countText } from '../words/strings.ts';
import { findInJson } from './findInJson.ts';
import { moveByKey } from './jsonKeys.ts';
import { shortValue } from './jsonText.ts';

/** The most children drawn at first; more are drawn on demand. */
const STEP = 100;
/** The most characters shown of a closed node. */
const GLIMPSE = 80;
/** A tree with fewer nodes than this has no search field. */
const SEARCH_FROM = 20;

/**
 * A JSON value as a tree whose nodes open and close; only open nodes are drawn. Larger trees can be searched.
 * @param isPart the value is cut: containers of its last value may contain more
 */
export function JsonTree({ value, isPart = false }: { value: unknown; isPart?: boolean }) {
  const [needle, setNeedle] = useState('');
  const large = useMemo(() => findInJson(value, '', SEARCH_FROM).length >= SEARCH_FROM, [value]);
  return (
    // The keys belong to the buttons inside; the element itself is not interactive.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div className="json" onKeyDown={moveByKey}>
      {large ? (
        <input
          className="field json-search"
          type="search"
          value={needle}
          placeholder={OUTPUT_WORDS.jsonSearch}
          aria-label={OUTPUT_WORDS.jsonSearch}
          onChange={(event) => setNeedle(event.target.value)}
        />
      ) : null}
      {needle === '' ? (
        <Node name={null} value={value} depth={0} isPart={isPart} isRoot />
      ) : (
        <SearchResults value={value} needle={needle} />
      )}
    </div>
  );
}

/** The search results, each with its path from the root. */
function SearchResults({ value, needle }: { value: unknown; needle: string }) {
  const hits = useMemo(() => findInJson(value, needle, STEP * 2 + 1), [value, needle]);
  const more = hits.length > STEP * 2;
  return (
    <>
      <div className="json-count" role="status">
        {hits.length === 0
          ? OUTPUT_WORDS.jsonNone
          : OUTPUT_WORDS.jsonFound(`${countText(Math.min(hits.length, STEP * 2))}${more ? '+' : ''}`)}
      </div>
      {hits.slice(0, STEP * 2).map(({ path, value: hit }) => (
        <div key={path} className="json-found">
          <span className="json-path">{path}</span>
          <Node name={null} value={hit} depth={1} isPart={false} isRoot />
        </div>
      ))}
    </>
  );
}

function Node(props: {
  name: string | null;
  value: unknown;
  depth: number;
  isPart: boolean;
  /** The root is the tree's only tab stop; arrow keys reach the other nodes. */
  isRoot?: boolean;
}) {
  const { name, value, depth, isPart, isRoot = false } = props;
  const [open, setOpen] = useState(depth < 1);
  const [limit, setLimit] = useState(STEP);
  const keys = useMemo(
    () => (typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []),
    [value],
  );
  const label = name === null ? null : <span className="json-key">{name}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="json-leaf">
        {label}
        <Scalar value={value} />
      </div>
    );
  }
  const list: readonly unknown[] | null = Array.isArray(value) ? value : null;
  const size = list === null ? keys.length : list.length;
  if (size === 0) {
    return (
      <div className="json-leaf">
        {label}
        {list === null ? '{}' : '[]'}
      </div>
    );
  }
  const shownCount = Math.min(size, limit);
  const count = isPart ? OUTPUT_WORDS.atLeast(countText(size)) : countText(size);
  return (
    <div>
      <button
        type="button"
        className="json-toggle"
        tabIndex={isRoot ? 0 : -1}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span className="json-arrow" aria-hidden="true">
          {open ? '▾' : '▸'}
        </span>
        {label}
        <span className="json-count">{list === null ? `{${count}}` : `[${count}]`}</span>
        {open ? null : <span className="json-short"> {shortOf(value, size)}</span>}
      </button>
      {open ? (
        <div className="json-children">
          {Array.from({ length: shownCount }, (_none, at) => {
            const key = list === null ? (keys[at] ?? '') : String(at);
            const child: unknown = list === null ? Reflect.get(value, key) : list[at];
            const last = isPart && at === size - 1;
            return <Node key={key} name={key} value={child} depth={depth + 1} isPart={last} />;
          })}
          {size > shownCount ? (
            <button
              type="button"
              className="json-toggle json-more"
              tabIndex={-1}
              onClick={() => setLimit(limit + STEP * 10)}
            >
              … {OUTPUT_WORDS.jsonMore(countText(size - shownCount))}
            </button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

/** The beginning of a closed node's value; empty for a long list, which would have to be formatted as a whole. */
function shortOf(value: object, size: number): string {
  if (size > STEP) return '';
  const text = shortValue(value);
  return text.length <= GLIMPSE ? text : `${text.slice(0, GLIMPSE)}…`;
}

function Scalar({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span className="json-string">{JSON.stringify(value)}</span>;
  if (typeof value === 'number') return <span className="json-number">{String(value)}</span>;
  return <span className="json-word">{String(value)}</span>;
}
