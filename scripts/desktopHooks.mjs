import { Arch } from 'electron-builder';
import { stageDesktop } from './lib/desktopStage.mjs';

// The hooks of electron-builder.yml, found by these names.

/** False: no package goes into the app's archive, so none is looked for, installed or compiled. */
export function beforeBuild() {
  return false;
}

/** Before each platform's files are put together. */
export async function beforePack({ electronPlatformName, arch }) {
  await stageDesktop(`${electronPlatformName}-${Arch[arch]}`);
}
