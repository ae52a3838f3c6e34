/** The condition of a filter's operator: between two ends, each inclusive or exclusive, or the opposite. */
export interface Range<T> {
  readonly low: T | null;
  readonly lowIn: boolean;
  readonly high: T | null;
  readonly highIn: boolean;
  readonly inside: boolean;
}
