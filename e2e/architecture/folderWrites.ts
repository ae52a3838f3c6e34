/**
 * Lists the files that may change the disk without the guarded folder module, and finds such changes in a source file;
 * used by folderWrites.test.ts.
 */

/**
 * Files that may write without the guarded module (src-main/lib/guardedFolder) because they never write below a
 * notebook's folder. Remove a file from the list when it no longer writes.
 */
export const WRITES_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'the guarded module and its parts': [
    'lib/guardedFolder/names.ts',
    'lib/guardedFolder/openFolder.ts',
    'lib/guardedFolder/replace.ts',
    'lib/atomicFile.ts',
    'lib/makePrivateFolder.ts',
    'lib/makeFolders.ts',
    'lib/newFile.ts',
  ],
  'the lock: new names in a `.svc` that was just checked': ['lib/lockFile.ts'],
  'a new folder beside the notebooks, which is then renamed': [
    'convert/snapshot/importSnapshot.ts',
    'lib/ownedName.ts',
    'notebook/createNotebook.ts',
    'notebook/examples.ts',
    'notebook/removeNotebook.ts',
  ],
  'a library that is copied into a new folder': ['environment/r/rStage.ts'],
  'the folders of the server': [
    'dataPlane/cache/cacheFolder.ts',
    'dataPlane/cache/footers.ts',
    'dataPlane/catalogs/attachedCatalogs.ts',
    'artifacts/borrowedStore.ts',
    'artifacts/storedBuilds.ts',
    'artifacts/storedWorkers.ts',
    'notebook/stored/storedCredentials.ts',
    'session/open/untrustedScratch.ts',
    'builds/bucketPlace.ts',
    'builds/buildStore.ts',
    'builds/builds.ts',
    'builds/receive.ts',
    'registry/blobFiles.ts',
    'registry/registrySchema.ts',
    'relay/server/relayServer.ts',
    'relay/server/spool.ts',
    'server/upload.ts',
    'server/mcpSwitch.ts',
    'server/snippetFile.ts',
  ],
  'the folders of the program': [
    'cli/agent/installSkill.ts',
    'cli/compileCache.ts',
    'cli/servedApp.ts',
    'cli/serverFile.ts',
    'cli/verbs/serve.ts',
    'environment/uv/resolveUv.ts',
    'lsp/tools/resolveTools.ts',
    'shell/commandTool.ts',
    'shell/storedTokens.ts',
    'shell/logFile.ts',
    'shell/main.ts',
    'shell/shellStore.ts',
  ],
  'a path that the user named': ['cli/verbs/new.ts', 'cli/writeOut.ts', 'iceberg/write/writableFiles.ts'],
  'a temporary folder of the system': [
    'server/publication/archive.ts',
    'environment/previewWork.ts',
    'environment/r/rTool.ts',
    'environment/search/lookUpPackage.ts',
    'exec/local/r/rProcess.ts',
    'exec/remote/health/tryCell.ts',
    'iceberg/storage/openTableFiles.ts',
    'iceberg/write/parquetOfArrow.ts',
    'iceberg/write/writeTable.ts',
    'lib/ownProcess/closeMemory.ts',
    'lib/ownProcess/removeFromEnvironment.ts',
  ],
  'the folders of a worker': [
    'worker/environments/collectEnvironments.ts',
    'worker/environments/environmentUses.ts',
    'worker/environments/environmentFolder.ts',
    'worker/environments/lockedPython.ts',
    'worker/environments/lockedR.ts',
    'worker/environments/unpackArchive.ts',
    'worker/launched/keepWorker.ts',
    'worker/launched/record.ts',
    'worker/launched/startWorker.ts',
    'worker/machine.ts',
    'worker/pull/runPull.ts',
    'worker/pull/transfer.ts',
    'worker/pushInputs.ts',
    'worker/readForm.ts',
    'worker/runCell.ts',
    'worker/runFolder.ts',
  ],
};

/** Tests and files that only tests import. */
export const TEST_SUPPORT = /\.test\.ts$|\/testing\//;

/** The file functions of Node that change the disk by a path. */
const WRITES = [
  ...['appendFile', 'chmod', 'chown', 'copyFile', 'cp', 'createWriteStream', 'lchown'],
  ...[
    'link',
    'lutimes',
    'mkdir',
    'mkdtemp',
    'rename',
    'rm',
    'rmdir',
    'symlink',
    'truncate',
    'unlink',
    'utimes',
  ],
  ...['writeFile', 'writev'],
];
/** The functions of the project that follow a link at the end of a path. */
const OURS = ['writeFileAtomic', 'newFile', 'makeFolders'];

const NAMES: ReadonlySet<string> = new Set([...WRITES.flatMap((name) => [name, `${name}Sync`]), ...OURS]);

/** The functions that change the disk by a path which a file imports. */
export function writesOf(text: string): readonly string[] {
  const calls: string[] = [];
  for (const [, names = '', from = ''] of text.matchAll(/^import (?!type )([^;]*?) from '([^']+)';/gms)) {
    const isFs = /^(node:)?fs(\/promises)?$/.test(from);
    if (isFs && !names.includes('{')) calls.push(`all of ${from}`);
    if (!isFs && !/\/(atomicFile|newFile|makeFolders)\.ts$/.test(from)) continue;
    const each = names.replace(/[{}]/g, '').split(',');
    calls.push(...each.map((name) => name.trim().split(' as ')[0] ?? '').filter((name) => NAMES.has(name)));
    if (isFs && /\bopen(Sync)?\b/.test(names) && opensToWrite(text)) calls.push('open');
  }
  return calls;
}

function opensToWrite(text: string): boolean {
  return /\bopen(Sync)?\([^;]*('(w|a|r\+)x?\+?'|O_(WRONLY|RDWR|CREAT))/s.test(text);
}
