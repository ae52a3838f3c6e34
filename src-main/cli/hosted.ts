import { keepCompiledCode } from './compileCache.ts';

/** The program the desktop app starts beside itself. The rest is loaded once the compile cache is on. */
keepCompiledCode();
const { runHosted } = await import('./hostedServer.ts');
const { channelOfProcess } = await import('./hostChannel.ts');
await runHosted(channelOfProcess());
