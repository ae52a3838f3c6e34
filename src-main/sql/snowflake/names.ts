/** A name of the settings as the service reads it: upper case, unless it is in quotes. */
export function identifier(name: string | null): string | undefined {
  if (name === null) return undefined;
  return /^".*"$/.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name.toUpperCase();
}

/** A name that is written into a statement. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
