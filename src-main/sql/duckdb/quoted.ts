/** A text literal of DuckDB. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A quoted name of DuckDB, which may contain anything. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
