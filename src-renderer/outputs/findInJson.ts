/** Searches the keys and values of a JSON output, for the search field above its tree. */

/** A place inside a JSON value. */
interface JsonHit {
  /** The path as it would be written in code: `stations.busiest[0]`. */
  readonly path: string;
  readonly value: unknown;
}

/** A search stops after so many nodes, so that it does not freeze the page. */
const MAX_NODES = 2_000_000;
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

/** The first `most` places whose key or plain value contains `needle`, ignoring case; every place for ''. */
export function findInJson(root: unknown, needle: string, most: number): JsonHit[] {
  const lowerNeedle = needle.toLowerCase();
  const hits: JsonHit[] = [];
  const open: JsonHit[] = [{ path: '', value: root }];
  for (let nodes = 0; open.length > 0 && hits.length < most && nodes < MAX_NODES; nodes += 1) {
    const at = open.pop();
    if (at === undefined) break;
    if (at.path !== '' && isMatch(at, lowerNeedle)) hits.push(at);
    if (typeof at.value !== 'object' || at.value === null) continue;
    const children = Object.entries(at.value);
    const isList = Array.isArray(at.value);
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const [key, value] = children[index] ?? ['', undefined];
      open.push({ path: pathOf(at.path, key, isList), value });
    }
  }
  return hits;
}

function isMatch({ path, value }: JsonHit, wanted: string): boolean {
  if (wanted === '') return true;
  const key = path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf('[')) + 1);
  if (key.toLowerCase().includes(wanted)) return true;
  return (typeof value !== 'object' || value === null) && String(value).toLowerCase().includes(wanted);
}

function pathOf(parent: string, key: string, isList: boolean): string {
  if (isList) return `${parent}[${key}]`;
  if (!PLAIN_KEY.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
}
