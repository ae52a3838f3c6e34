import { useState } from 'react';
import { shortValue } from './jsonText.ts';

/** At most this many children are drawn at once; the rest on demand. */
const STEP = 100;

/** A JSON value as a tree that opens and closes; only what is open is drawn. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div className="json">
      <Node name={null} value={value} depth={0} />
    </div>
  );
}

function Node({ name, value, depth }: { name: string | null; value: unknown; depth: number }) {
  const [open, setOpen] = useState(depth < 1);
  const [limit, setLimit] = useState(STEP);
  const label = name === null ? null : <span className="json-key">{name}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="json-leaf">
        {label}
        <Scalar value={value} />
      </div>
    );
  }
  const isList = Array.isArray(value);
  const entries: [string, unknown][] = Object.entries(value);
  const count = isList ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0) {
    return (
      <div className="json-leaf">
        {label}
        {isList ? '[]' : '{}'}
      </div>
    );
  }
  return (
    <div>
      <button type="button" className="json-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="json-arrow" aria-hidden="true">
          {open ? '▾' : '▸'}
        </span>
        {label}
        <span className="json-count">{count}</span>
        {open ? null : <span className="json-short"> {shortValue(value).slice(0, 80)}</span>}
      </button>
      {open ? (
        <div className="json-children">
          {entries.slice(0, limit).map(([key, child]) => (
            <Node key={key} name={key} value={child} depth={depth + 1} />
          ))}
          {entries.length > limit ? (
            <button type="button" className="json-toggle" onClick={() => setLimit(limit + STEP * 10)}>
              … {entries.length - limit}
            </button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

function Scalar({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span className="json-string">{JSON.stringify(value)}</span>;
  if (typeof value === 'number') return <span className="json-number">{String(value)}</span>;
  return <span className="json-word">{String(value)}</span>;
}
