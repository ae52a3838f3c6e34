import './spinner.css';
import { PRIMITIVE_WORDS } from '../words/primitives.ts';

/**
 * A spinner.
 * @param props.label null if text beside it already says what is happening
 */
export function Spinner({
  label = PRIMITIVE_WORDS.working,
  size = 14,
}: {
  label?: string | null;
  size?: number;
}) {
  const drawing = (
    <svg className="spinner" width={size} height={size} viewBox="0 0 14 14" aria-hidden="true">
      <circle cx="7" cy="7" r="5.5" fill="none" stroke="var(--line-strong)" strokeWidth="1.6" />
      <path
        d="M7 1.5A5.5 5.5 0 0 1 12.5 7"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </svg>
  );
  if (label === null) return drawing;
  return (
    <span className="spinner-box" role="status">
      {drawing}
      <span className="visually-hidden">{label}</span>
    </span>
  );
}
