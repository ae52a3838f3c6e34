import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The program the desktop app starts beside itself. The rest is loaded once the compile cache is on. */
enableCompileCache(join(homedir(), '.svc', 'cache', 'compile'));
const { runHosted } = await import('./hostedServer.ts');
const { channelOfProcess } = await import('./hostChannel.ts');
await runHosted(channelOfProcess());
