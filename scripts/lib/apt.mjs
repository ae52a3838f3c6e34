/** Installs system packages with apt-get on Debian and Ubuntu, for the tools that tests need. */

import { existsSync, readFileSync } from 'node:fs';
import { say } from './project.mjs';
import { capture, run } from './run.mjs';

/** Debian and its derivatives; `ID` of /etc/os-release distinguishes Ubuntu from Debian. */
export function isDebian() {
  return existsSync('/usr/bin/apt-get');
}

export function isUbuntu() {
  return existsSync('/etc/os-release') && /^ID=ubuntu$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/**
 * Installs system packages, as root or with a sudo that needs no password.
 * @returns false, after printing the command to run, if neither is possible or apt-get fails
 */
export async function aptInstall(packages, purpose) {
  const command = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages];
  const root = process.getuid?.() === 0;
  if (!root && (await capture('sudo', ['-n', 'true'])).code !== 0) {
    say(
      `${purpose}: needs \`sudo ${command.join(' ')}\`, and sudo asks for a password. Run it, then start again.`,
    );
    return false;
  }
  const [file, ...before] = root ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const quiet = { env, stdio: ['ignore', 2, 2] };
  say(`installing ${packages.join(', ')} by apt-get (${purpose}) …`);
  const update = await run(file, [...before, 'update', '-qq'], quiet);
  const code = update === 0 ? await run(file, [...before, ...command.slice(1), '-qq'], quiet) : update;
  if (code !== 0) say(`apt-get ended with exit code ${code}.`);
  return code === 0;
}
