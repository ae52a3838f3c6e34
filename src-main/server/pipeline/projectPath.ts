const PROJECT = /^(\/v1\/projects\/)([^?#]*)(\/(?:quiesce|release))(?=$|[?#])/;

/** A folder in the address of a project route may have its slashes written plainly; the router takes one segment. */
export function projectPath(url: string): string {
  return url.replace(
    PROJECT,
    (_all, prefix: string, path: string, verb: string) => prefix + path.replaceAll('/', '%2F') + verb,
  );
}
