/** Reads the install commands (`pip install …`) in imported Jupyter cells. */

/** Options of pip, uv and conda that are followed by a value. */
const WITH_VALUE =
  /^(?:-[cefirtn]|--(?:index-url|extra-index-url|find-links|requirement|constraint|editable|target|channel|name|prefix|platform|python-version|trusted-host|upgrade-strategy|python|p))$/;

/** An install command: its packages as written, and its other parts. */
interface Install {
  readonly packages: readonly string[];
  /** The parts that are not packages by name: files, options with paths. */
  readonly rest: readonly string[];
}

/**
 * Parses `pip install …`, `pip3`, `python -m pip`, `uv pip`, `conda install`; null for every other command.
 */
export function readInstall(command: string): Install | null {
  const words = wordsOf(command.replace(/\\\n/g, ' '));
  const start = installStart(words);
  if (start === null) return null;
  const isConda = words.slice(0, start).some((word) => /^(conda|mamba|micromamba)$/.test(word));
  const packages: string[] = [];
  const rest: string[] = [];
  for (let at = start; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (/^(?:&&|\|\||;|\||>|2?>&?1?|>>|#.*)$/.test(word)) break;
    if (WITH_VALUE.test(word)) {
      const value = words[at + 1] ?? '';
      if (/^(?:-r|--requirement|-e|--editable)$/.test(word)) rest.push(`${word} ${value}`);
      at += 1;
    } else if (!word.startsWith('-')) {
      packages.push(
        isConda ? word.replace(/^[\w-]+::/, '').replace(/^([\w.-]+)=(?!=)([\w.*]+).*$/, '$1==$2') : word,
      );
    }
  }
  return { packages, rest };
}

function installStart(words: readonly string[]): number | null {
  const line = words.join(' ');
  const match =
    /^(?:sudo )?(?:(?:\S*python[\d.]*|\{?sys\.executable\}?) -m )?(?:uv )?(?:pip[\d.]*|conda|mamba|micromamba) install(?= |$)/.exec(
      line,
    );
  return match === null ? null : match[0].split(' ').length;
}

/** Splits words as a shell does, without quotes. */
function wordsOf(command: string): readonly string[] {
  return Array.from(command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g), ([word]) => word.replace(/["']/g, ''));
}
