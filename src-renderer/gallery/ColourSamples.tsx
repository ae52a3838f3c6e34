/** Gallery page for developers: the colours and type sizes of theme/tokens.css. */

import { Sample, Samples } from './Sample.tsx';

const GROUNDS = [
  '--bg',
  '--panel',
  '--card',
  '--line-soft',
  '--accent-soft',
  '--ok-soft',
  '--run-soft',
  '--stale-soft',
  '--err-soft',
  '--select',
];
const INKS = ['--ink', '--ink-2', '--ink-3', '--accent', '--ok', '--run', '--stale', '--err', '--cache'];
const CODE = ['--code-kw', '--code-str', '--code-num', '--code-com', '--code-fn'];
const SIZES = ['--t-xl', '--t-l', '--t-m', '--t-s', '--t-xs'];

/** The tokens of theme/tokens.css. */
export function ColourSamples() {
  return (
    <Samples title="Tokens">
      <Sample name="Grounds">
        {GROUNDS.map((name) => (
          <span key={name} className="swatch" style={{ background: `var(${name})` }}>
            {name.slice(2)}
          </span>
        ))}
      </Sample>
      <Sample name="Inks">
        {INKS.map((name) => (
          <span key={name} style={{ color: `var(${name})` }}>
            {name.slice(2)}
          </span>
        ))}
      </Sample>
      <Sample name="Code">
        {CODE.map((name) => (
          <code key={name} style={{ color: `var(${name})` }}>
            {name.slice(2)}
          </code>
        ))}
      </Sample>
      <Sample name="Type">
        {SIZES.map((name) => (
          <span key={name} style={{ fontSize: `var(${name})` }}>
            {name.slice(2)}
          </span>
        ))}
      </Sample>
      <Sample name="Elevations">
        <span className="swatch" style={{ boxShadow: 'var(--shadow)' }}>
          1
        </span>
        <span className="swatch" style={{ boxShadow: 'var(--shadow-2)' }}>
          2
        </span>
      </Sample>
    </Samples>
  );
}
