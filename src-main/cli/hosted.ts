/** Entry point of the server process that the desktop app starts. */

import { setUpCompileCache } from './compileCache.ts';

/**
 * The program that the desktop app starts as its server. Other modules are loaded after the compile cache is enabled.
 */
setUpCompileCache();
const { runHosted } = await import('./hostedServer.ts');
const { channelOfProcess } = await import('./hostChannel.ts');
await runHosted(channelOfProcess());
