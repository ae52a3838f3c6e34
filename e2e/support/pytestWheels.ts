/** Packs the installed pytest into wheels in a folder, so that tests can install it without a network. */

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** A script that packs the installed pytest of the test Python into wheels, so that uv needs no network. */
const PACK = `
import importlib.metadata as metadata, re, sys, zipfile
folder, waiting, seen = sys.argv[1], ["pytest"], set()
def here(line):
    try:
        return metadata.distribution(re.match(r"[\\w.-]+", line).group()) is not None
    except metadata.PackageNotFoundError:
        return False
def said(file):
    # What other systems and older Pythons need beside is in no wheel here: a lock for all of them would ask for it.
    lines = file.read_text().split("\\n")
    wanted = "Requires-Dist: "
    return "\\n".join(line for line in lines if not line.startswith(wanted) or here(line[len(wanted):]))
while waiting:
    name = waiting.pop()
    try:
        package = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        continue
    if package.name in seen:
        continue
    seen.add(package.name)
    waiting += [re.match(r"[\\w.-]+", line).group() for line in package.requires or [] if "extra ==" not in line]
    record = next(f for f in package.files if f.name == "RECORD")
    left_out = ("INSTALLER", "REQUESTED", "RECORD")
    kept = [f for f in package.files if ".." not in f.parts and f.suffix != ".pyc" and f.name not in left_out]
    lines = [line for line in record.read_text().splitlines() if line.split(",")[0] in set(map(str, kept))]
    wheel = "%s/%s-%s-py3-none-any.whl" % (folder, package.name.replace("-", "_"), package.version)
    with zipfile.ZipFile(wheel, "w") as archive:
        for file in kept:
            archive.writestr(str(file), said(file) if file.name == "METADATA" else file.read_binary())
        archive.writestr(str(record), "\\n".join([*lines, "%s,," % record]) + "\\n")
`;

export async function packPytest(folder: string): Promise<void> {
  // uv has no variable to disable the public index, so an empty index replaces it.
  await mkdir(join(folder, 'index-of-nothing'), { recursive: true });
  await promisify(execFile)(process.env['CELLAR_TEST_PYTHON'] ?? 'python3', ['-c', PACK, folder]);
}

/** Environment variables with which uv finds only the packages of that folder. */
export function onlyWheels(folder: string): Readonly<Record<string, string>> {
  const index = pathToFileURL(join(folder, 'index-of-nothing')).href;
  return { UV_FIND_LINKS: folder, UV_DEFAULT_INDEX: index, UV_NO_CONFIG: '1' };
}
