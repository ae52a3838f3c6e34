/** Encodes the slashes of the folder in a project route's URL, since the router accepts one segment there. */

const PROJECT = /^(\/v1\/projects\/)([^?#]*)(\/(?:quiesce|release))(?=$|[?#])/;

/** The URL with the folder of a project route as one encoded segment; other URLs are unchanged. */
export function projectPath(url: string): string {
  return url.replace(
    PROJECT,
    (_all, prefix: string, path: string, verb: string) => prefix + path.replaceAll('/', '%2F') + verb,
  );
}
