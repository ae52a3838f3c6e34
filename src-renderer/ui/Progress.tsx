import './progress.css';
import { Progress as Radix } from 'radix-ui';

/**
 * A progress bar.
 * @param props.value 0 to 1; null while it is unknown
 */
export function Progress(props: { label: string; value: number | null; tone?: 'accent' | 'run' | 'error' }) {
  const { label, value, tone = 'accent' } = props;
  const percent = value === null ? null : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <Radix.Root className={`progress progress-${tone}`} aria-label={label} value={percent} max={100}>
      <Radix.Indicator
        className="progress-bar"
        style={percent === null ? undefined : { transform: `scaleX(${percent / 100})` }}
      />
    </Radix.Root>
  );
}
