/** The fields of a widget cell's step: its controls with their values and keys. */

import type { WidgetValue } from '../../../src-shared/notebook/widgets.ts';

/** One control with its value and the key that the value is stored under. */
export interface KeyedControl {
  readonly name: string;
  readonly kind: string;
  /** The stored form: JSON text that Python parses to the value. */
  readonly text: string;
  readonly value: WidgetValue;
  /** SHA-256 hex of {kind, params} and value: its key, independent of the other controls. */
  readonly key: string;
}

/** The parameters of a run of a widget cell. */
export interface WidgetRun {
  readonly controls: readonly KeyedControl[];
  /** Why the declarations fail the run. */
  readonly problem: string | null;
  /**
   * Whether an already stored value is reused: always when controls were set, else depending on the run's
   * mode.
   */
  readonly reuses: boolean;
}
