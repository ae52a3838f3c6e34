/** Converts and quotes names of Snowflake. */

/** A name from the settings as Snowflake reads it: in upper case, unless it is quoted. */
export function identifier(name: string | null): string | undefined {
  if (name === null) return undefined;
  return /^".*"$/.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name.toUpperCase();
}

/** A name quoted for use in a statement. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
