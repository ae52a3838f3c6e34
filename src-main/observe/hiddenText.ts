/** Hides the secret values that the process knows in the lines of its log. */

import { createRedactor, NOTHING_HIDDEN, type Redactor } from '../lib/redactor.ts';

/**
 * The maximum number of values, more than a busy server's notebooks have; beyond it the oldest are no longer hidden.
 */
const MAX_VALUES = 10_000;

/**
 * Every value the process knows and must not log. Values stay when their notebook closes, because its last
 * lines follow later.
 */
export class HiddenText {
  readonly #values = new Set<string>();
  #redactor: Redactor | null = NOTHING_HIDDEN;

  add(values: Iterable<string>): void {
    const before = this.#values.size;
    for (const value of values) this.#values.add(value);
    for (const old of this.#values) {
      if (this.#values.size <= MAX_VALUES) break;
      this.#values.delete(old);
    }
    // Created when a line needs it: an opening notebook adds its values in several steps.
    if (this.#values.size !== before) this.#redactor = null;
  }

  get redactor(): Redactor {
    this.#redactor ??= createRedactor(this.#values);
    return this.#redactor;
  }

  /** One line of JSON, which stays JSON: values are hidden in its strings, not in its numbers. */
  line(line: string): string {
    const { redactor } = this;
    if (redactor.isIdle || redactor.text(line) === line) return line;
    const end = line.endsWith('\n') ? '\n' : '';
    // The folder of a line is not redacted, because lines are looked up by it.
    const hide = (key: string, value: unknown): unknown =>
      typeof value === 'string' && key !== 'notebook' ? redactor.text(value) : value;
    return JSON.stringify(JSON.parse(line, hide)) + end;
  }
}
