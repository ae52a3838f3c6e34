/** What an op asks of a value: between two ends, each taken in or not, or the opposite of that. */
export interface Range<T> {
  readonly low: T | null;
  readonly lowIn: boolean;
  readonly high: T | null;
  readonly highIn: boolean;
  readonly inside: boolean;
}
