/**
 * Entry point of the server process that the desktop app starts. Other modules are loaded after the compile cache is
 * enabled.
 */

import { setUpCompileCache } from './compileCache.ts';

setUpCompileCache();
const { runHosted } = await import('./hostedServer.ts');
const { channelOfProcess } = await import('./hostChannel.ts');
await runHosted(channelOfProcess());
