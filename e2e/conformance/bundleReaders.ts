/**
 * Reads output bundles of workers with independent programs (Python's tarfile), to check that other software can read
 * them.
 */

import { execFileSync } from 'node:child_process';

/**
 * What a reader of output bundles read. The readers are like those of other programs: they use Python's tarfile and
 * only one of the two layouts (docs/spec/worker-protocol.md, 6), and fail for a bundle that they would refuse.
 */
export interface ReadByOthers {
  readonly success: boolean;
  /** Name → the bytes of its file as Latin-1 text. */
  readonly variables: Readonly<Record<string, string>>;
  readonly displays: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  readonly error: string | null;
}

/** Reads only `files/`, by `variables` and `displays`; the console from its two files, the error from the manifest. */
const OBSERVED = `
def check(entry):
    file = entry["file"]
    assert file.startswith("files/") and ".." not in file, "Invalid bundle file path: " + file
    data = content(file)
    assert len(data) == entry["bytes"], "size of " + file
    return data.decode("latin-1")
stored = {name: entry for name, entry in manifest["variables"].items() if name != "_" and "error" not in entry}
answer = {
    "variables": {name: check(entry) for name, entry in stored.items()},
    "displays": [check(entry) for entry in manifest["displays"] if "file" in entry],
    "stdout": content(manifest["stdout_file"]).decode(), "stderr": content(manifest["stderr_file"]).decode(),
    "error": manifest["error"],
}
`;

/** Reads only plain files under `outputs/` and `display/`, by the documented index, console.json and error.json. */
const DOCUMENTED = `
def check(entry, folder):
    assert entry["file"].startswith(folder) and tar.getmember(entry["file"]).isreg(), entry["file"]
    data = content(entry["file"])
    assert len(data) == entry["bytes"], "size of " + entry["file"]
    return data.decode("latin-1")
console = json.loads(content(manifest["console"]))
failure = None if manifest["success"] else json.loads(content("error.json"))
answer = {
    "variables": {entry["name"]: check(entry, "outputs/") for entry in manifest["outputs"]},
    "displays": [check(entry, ("display/", "outputs/")) for entry in manifest["display"]],
    "stdout": console["stdout"], "stderr": console["stderr"],
    "error": failure and failure["type"] + ": " + failure["message"],
}
`;

/** Unpacks the complete bundle to disk with tarfile's safe filter, and reads the files there. */
const UNPACKED = `
import os, tempfile
with tempfile.TemporaryDirectory() as folder:
    tar.extractall(folder, filter="data")
    def content(name):
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()
${OBSERVED.replaceAll(/^(?=.)/gm, '    ')}
`;

const READERS = { observed: OBSERVED, documented: DOCUMENTED, unpacked: UNPACKED } as const;
export const READER_KINDS = ['observed', 'documented', 'unpacked'] as const;

const FRAME = (reader: string) => `
import io, json, sys, tarfile
tar = tarfile.open(fileobj=io.BytesIO(sys.stdin.buffer.read()), mode="r:")
def content(name):
    file = tar.extractfile(tar.getmember(name))
    assert file is not None, name
    return file.read()
manifest = json.loads(content("manifest.json"))
assert manifest["schema_version"] == "notebook-output-bundle@v1"
${reader}
print(json.dumps({"success": manifest["success"], **answer}))
`;

/** @throws Error with the reason for which the reader refuses the bundle */
export function readByOthers(kind: (typeof READER_KINDS)[number], bundle: Buffer): ReadByOthers {
  const python = process.env['CELLAR_TEST_PYTHON'] ?? 'python3';
  const output = execFileSync(python, ['-I', '-c', FRAME(READERS[kind])], {
    input: bundle,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return JSON.parse(output.toString()) as ReadByOthers;
}
