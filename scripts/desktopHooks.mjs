import { Arch } from 'electron-builder';
import { stageDesktop } from './lib/desktopStage.mjs';

// The hooks of electron-builder.yml, looked up by these names.

/** False: no package goes into the app's archive, so electron-builder neither searches, installs nor compiles any. */
export function beforeBuild() {
  return false;
}

/** Before each platform's files are put together. */
export async function beforePack({ electronPlatformName, arch }) {
  await stageDesktop(`${electronPlatformName}-${Arch[arch]}`);
}
