/** Suggests package names that complete the typed text, in the field that adds a package. */

import { useEffect, useState } from 'react';
import { useAnswer } from '../../live/useAnswer.ts';
import { packageNameAtCaret } from '../../state/typedPackage.ts';
import { PACKAGE_WORDS } from '../../words/packages.ts';

/** How long typing must have stopped before names are requested: each request may start a program. */
const STILL_MS = 300;

/** Package names that match the typed text, and whether the index has a package of exactly that name. */
export function NameSuggestions(props: { sid: string; typed: string; onTake: (name: string) => void }) {
  const { sid, typed, onTake } = props;
  const name = useStill(packageNameAtCaret(typed));
  const ask = { subject: sid, key: name ?? '' };
  const { value } = useAnswer(
    'suggestPackages',
    name === null ? null : { params: { sid }, query: { typed: name } },
    ask,
  );
  const indexed = useAnswer('lookUpPackage', name === null ? null : { params: { sid, package_name: name } }, {
    subject: `${sid} ${name ?? ''}`,
    key: '',
  });
  if (name === null || packageNameAtCaret(typed) === null) return null;
  const others = (value?.names ?? []).filter((one) => one.name !== name);
  return (
    <>
      {others.length === 0 ? null : (
        <ul className="plain-list package-names" aria-label={PACKAGE_WORDS.suggestions}>
          {others.map((one) => (
            <li key={one.name}>
              <button type="button" className="package-name" onClick={() => onTake(one.name)}>
                <code>{one.name}</code>
                {one.imported === null ? null : <span>{PACKAGE_WORDS.importedAs(one.imported)}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className="panel-quiet" role="status">
        {indexed.value === null ? (indexed.problem ?? '') : indexWords(name, indexed.value)}
      </p>
    </>
  );
}

function indexWords(
  name: string,
  { status, version, problem }: { status: string; version: string | null; problem: string | null },
): string {
  if (status === 'missing') return PACKAGE_WORDS.notInIndex(name);
  if (status === 'exists') {
    return version === null ? (problem ?? PACKAGE_WORDS.inIndex(name)) : PACKAGE_WORDS.newest(name, version);
  }
  return PACKAGE_WORDS.indexUnknown(problem ?? '');
}

/** The value after it has not changed for STILL_MS. */
function useStill(value: string | null): string | null {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), STILL_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return still;
}
