/** Starts moto, a fake S3 server, for tests. */

import { startLineServer } from './lineServer.ts';

/** moto's S3 server on a free port of this machine, in its own process, with one user who has all rights. */
export interface MotoServer {
  readonly url: string;
  readonly pid: number;
  readonly key: string;
  readonly secret: string;
  stop(): Promise<void>;
}

const PROGRAM = `
import json
import sys
from moto import settings
from moto.iam.models import iam_backends
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
iam = iam_backends["123456789012"]["aws"]
iam.create_user("us-east-1", "cellar")
key = iam.create_access_key("cellar")
every = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
iam.put_user_policy("cellar", "every", json.dumps(every))
# From here on it looks at signatures, as the service does.
settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
said = {"port": server.get_host_and_port()[1], "key": key.access_key_id, "secret": key.secret_access_key}
print(json.dumps(said), flush=True)
sys.stdin.read()
server.stop()
`;

/** @param python an interpreter with `harness/python/requirements-services.txt` installed */
export async function startMoto(python: string): Promise<MotoServer> {
  const server = await startLineServer([python, '-I', '-c', PROGRAM], { endsBy: 'input' });
  const { port, key, secret } = JSON.parse(server.line) as { port: number; key: string; secret: string }; // printed above
  return { url: `http://127.0.0.1:${port}`, key, secret, pid: server.pid, stop: server.stop };
}
