import type { WidgetValue } from '../../../src-shared/notebook/widgets.ts';

/** One control as a run leaves it. */
export interface ControlStep {
  readonly name: string;
  readonly kind: string;
  /** What it is stored as: JSON text that Python reads as the value. */
  readonly text: string;
  readonly value: WidgetValue;
  /** SHA-256 hex of {kind, params} and value: what it is kept under, whatever the other controls are set to. */
  readonly key: string;
}

/** What a run of a widget cell makes. */
export interface WidgetStep {
  readonly controls: readonly ControlStep[];
  /** Why the declarations fail the run, in words. */
  readonly problem: string | null;
  /** Whether a value that is stored already is kept: always when controls were set, else as the run's mode says. */
  readonly reuses: boolean;
}
