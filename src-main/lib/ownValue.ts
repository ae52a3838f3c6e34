/**
 * The own property `name` of a record, or undefined. For names from untrusted sources: inherited ones like
 * `constructor` do not count.
 */
export function ownValue<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
