import './keys.css';
import { Fragment } from 'react';
import { capsOf, chordWords, IS_MAC } from './chord.ts';

/** The keys of a command: `Mod+Enter` is ⌘ Enter on a Mac and Ctrl Enter elsewhere; `d d` means two presses. */
export function Keys({ chord, quiet = false }: { chord: string; quiet?: boolean }) {
  return (
    <span className={quiet ? 'keys keys-quiet' : 'keys'}>
      <span className="visually-hidden">{chordWords(chord, IS_MAC)}</span>
      <span aria-hidden="true" className="keys-caps">
        {capsOf(chord, IS_MAC).map((press, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the presses of a chord have no other name
          <Fragment key={at}>
            {at === 0 ? null : ' '}
            {press.map((cap) => (
              <kbd key={cap} className="keys-cap">
                {cap}
              </kbd>
            ))}
          </Fragment>
        ))}
      </span>
    </span>
  );
}
