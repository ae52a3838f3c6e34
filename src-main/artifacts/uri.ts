/** Writes and parses the URIs of stored versions and of names: `svc://artifact/…` and `svc://name/…`. */

const PREFIX = 'svc://artifact/';
const MARK = '@v=';

interface ArtifactRef {
  readonly id: string;
  readonly version: number;
}

/** The URI of a version: `svc://artifact/<id>@v=<n>` (docs/spec/provenance-and-cache.md, 2). */
export function artifactUri(id: string, version: number): string {
  return `${PREFIX}${id}${MARK}${version}`;
}

/** Parses such a uri; ids may contain `@v=` themselves, so the last one counts. Null for anything else. */
export function parseArtifactUri(uri: string): ArtifactRef | null {
  if (!uri.startsWith(PREFIX)) return null;
  const at = uri.lastIndexOf(MARK);
  if (at <= PREFIX.length) return null;
  const digits = uri.slice(at + MARK.length);
  if (!/^[1-9][0-9]{0,14}$/.test(digits)) return null;
  return { id: uri.slice(PREFIX.length, at), version: Number(digits) };
}

/** The URI of a name: `svc://name/<name>`; names may contain slashes. */
export function nameUri(name: string): string {
  return `svc://name/${name}`;
}
