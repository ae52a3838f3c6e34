/**
 * The layers of src-main and src-renderer, and the rule which layer may import from which; used by
 * architecture.test.ts.
 */

/**
 * The layers, top to bottom. A folder of src-main imports only from layers below its own and from itself, not from
 * other folders of its own layer nor from above (docs/architecture.md).
 */
export const MAIN_LAYERS: readonly (readonly string[])[] = [
  ['cli', 'shell'],
  ['server'],
  ['agent', 'mcp', 'terminal'],
  ['session'],
  ['run', 'convert', 'worker'],
  ['exec', 'git', 'language', 'lsp', 'table', 'ai', 'blobs', 'dataPlane'],
  ['iceberg'],
  ['builds', 'relay', 'mount', 'environment', 'sql', 'registry', 'remoteStore'],
  ['artifacts', 'notebook', 'secrets'],
  ['config', 'observe'],
  ['lib'],
];

/** The folders of the renderer, top to bottom; `ui` and `theme` are outside these layers. */
export const RENDERER_LAYERS: readonly (readonly string[])[] = [
  ['panels', 'home', 'appView'],
  ['palette', 'find'],
  ['notebook'],
  ['outputs', 'editor', 'commands'],
  ['live'],
  ['state'],
];

export interface Import {
  /** Paths from the project's root, with forward slashes. */
  readonly from: string;
  /** A path of the project, a package name, or `node:x`. */
  readonly to: string;
  readonly typeOnly: boolean;
}

function layerOf(layers: readonly (readonly string[])[], folder: string): number {
  return layers.findIndex((row) => row.includes(folder));
}

function brokenRow(layers: readonly (readonly string[])[], from: string, to: string): string | null {
  const [, fromFolder = '', fromFile] = from.split('/');
  const [, toFolder = '', toFile] = to.split('/');
  // A file directly in the root, such as an entry point, belongs to no layer.
  if (fromFile === undefined || toFile === undefined || fromFolder === toFolder) return null;
  const above = layerOf(layers, fromFolder);
  const below = layerOf(layers, toFolder);
  if (above === -1) return `the folder ${fromFolder} has no row`;
  if (below === -1) return `the folder ${toFolder} has no row`;
  return below > above ? null : `${fromFolder} may not import from ${toFolder}`;
}

/** The rule that an import breaks, as a message, or null. */
export function brokenRule({ from, to }: Import): string | null {
  const isProject = /^(src-|e2e\/|harness\/|scripts\/)/.test(to);
  if (to === 'electron' || to.startsWith('electron/')) {
    return from.startsWith('src-main/shell/') ? null : 'only src-main/shell imports electron';
  }
  if (from.startsWith('src-shared/')) {
    if (to.startsWith('node:')) return 'src-shared is plain ES2022: no Node';
    return isProject && !to.startsWith('src-shared/') ? 'src-shared imports nothing but itself' : null;
  }
  if (from.startsWith('src-renderer/')) {
    if (to.startsWith('node:')) return 'the renderer has no Node';
    if (to.startsWith('src-main/')) return 'the renderer speaks to the server by the protocol alone';
    if (from.startsWith('src-renderer/ui/') && isProject && !/^src-renderer\/(ui|words)\//.test(to)) {
      return 'ui imports only React and the texts of the window';
    }
    const leaf = /^src-renderer\/(ui|theme|words)\//;
    if (to.startsWith('src-renderer/') && !leaf.test(to) && !leaf.test(from)) {
      return brokenRow(RENDERER_LAYERS, from, to);
    }
    return null;
  }
  if (from.startsWith('src-main/')) {
    if (to.startsWith('src-renderer/')) return 'the server never imports the renderer';
    if (to.startsWith('src-main/')) return brokenRow(MAIN_LAYERS, from, to);
  }
  return null;
}

/** Folders whose files only compute: they import no Node module that does I/O. */
export const PURE_PATHS: readonly RegExp[] = [
  /^src-shared\//,
  /^src-main\/session\/reduce\//,
  /^src-main\/session\/(keys|state|view)\//,
  /^src-main\/language\/checks\//,
  /^src-main\/run\/(plan|provenance|cache|step|suggestInstall)\.ts$/,
];
export const PURE_BUILTINS: ReadonlySet<string> = new Set(['node:crypto']);
