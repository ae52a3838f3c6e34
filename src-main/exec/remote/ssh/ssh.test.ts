/**
 * The text side of remote workers over SSH: checks of the destination, shell quoting (against /bin/sh), and
 * messages for ssh errors. No connection is made.
 */

import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOST_SCRIPT, readHostReport } from './hostReport.ts';
import { nameOfTarget, shellLine, sshArguments, targetProblem } from './sshArguments.ts';
import { readSshError, SshFailure } from './sshTrouble.ts';
import { readInstall, readStart, verbLine } from './startRemoteWorker.ts';

describe('a target of ssh', () => {
  it.each<[target: string, problem: RegExp | null]>([
    ['lab', null],
    ['me@gpu.example', null],
    ['ssh://me@gpu.example:2222', null],
    ['', /Enter a host from ~\/\.ssh\/config, or user@host\./],
    ['-oProxyCommand=id', /An SSH destination cannot start with -\./],
    ['me@$(id)', /without/],
    ['lab;id', /without/],
    ['`id`@lab', /without/],
    ['a|b', /without/],
    ['EXAMPLE\\me@lab', null],
    ['a b', /An SSH destination cannot contain spaces\. Use user@host\./],
    ['a\nb', /An SSH destination cannot contain spaces\. Use user@host\./],
    ['a\u0000b', /An SSH destination cannot contain spaces\. Use user@host\./],
    ['x'.repeat(256), /at most 255/],
  ])('[RW-25] %j', (target, problem) => {
    const message = targetProblem(target);
    if (problem === null) expect(message).toBe(null);
    else expect(message).toMatch(problem);
  });

  it.each([
    ['lab', 'lab'],
    ['me@gpu-1.example', 'gpu-1.example'],
    ['ssh://me@[::1]:22', '1'],
    ['local', 'ssh-worker'],
    ['me@ü', 'ssh-worker'],
  ])('[RW-23] the worker at %s gets the name %s', (target, name) => {
    expect(nameOfTarget(target)).toBe(name);
  });

  it('[RW-25] no option disables the host key check, and a target cannot become an option', () => {
    const all = [...sshArguments('lab', 'x'), ...sshArguments('lab', 'x', { localPort: 1, remotePort: 2 })];
    expect(all.join(' ')).not.toMatch(/HostKey|KnownHosts/i);
    expect(all.filter((one) => one === 'lab' || one === '--')).toEqual(['--', 'lab', '--', 'lab']);
    expect(all).toContain('127.0.0.1:1:127.0.0.1:2');
  });
});

describe('a command line for any shell', () => {
  it('[RW-23] words arrive unchanged, or are refused', () => {
    const word = fc.oneof(fc.string({ maxLength: 12 }), fc.stringMatching(/^[\w./:,@%+=-]{1,12}$/));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (words) => {
        let line: string;
        try {
          line = shellLine('for w in "$@"; do echo "$w"; done', words);
        } catch {
          return words.some((one) => !/^[\w./:,@%+-][\w./:,@%+=-]*$/.test(one));
        }
        const output = execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' });
        return output === words.map((one) => `${one}\n`).join('');
      }),
      { numRuns: 60 },
    );
  });

  it('[RW-23] the scripts that run on the host are valid in any shell', () => {
    for (const line of [shellLine(HOST_SCRIPT, ['0']), verbLine('0', '/n', ['stop', 'lab'])]) {
      expect(line).not.toMatch(/[\n\\!]/);
      execFileSync('/bin/sh', ['-n', '-c', line]);
    }
    expect(() => shellLine("echo 'x'", [])).toThrow(/one line/);
  });
});

describe('messages of ssh', () => {
  it.each<[said: string, trouble: string]>([
    ['ssh: Could not resolve hostname nope: Name or service not known', 'unreachable'],
    ['ssh: connect to host 10.0.0.9 port 22: Connection refused', 'unreachable'],
    ['ssh: connect to host 10.0.0.9 port 22: Connection timed out', 'unreachable'],
    ['kex_exchange_identification: Connection closed by remote host', 'unreachable'],
    ['Timeout, server gpu not responding.', 'unreachable'],
    [
      'No ED25519 host key is known for gpu and you have requested strict checking.\nHost key verification failed.',
      'host_key_unknown',
    ],
    [
      '@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.',
      'host_key_changed',
    ],
    ['me@gpu: Permission denied (publickey,password).', 'auth_refused'],
    ['Received disconnect from 1.2.3.4: 2: Too many authentication failures', 'auth_refused'],
    [
      'bind [127.0.0.1]:9000: Address already in use\nCould not request local forwarding.',
      'local_port_taken',
    ],
    ['channel 2: open failed: administratively prohibited: open failed', 'tunnel_refused'],
    ['/home/me/.ssh/config: line 3: Bad configuration option: hots', 'other'],
    ['', 'other'],
  ])('[RW-25] %j is %s', (output, trouble) => {
    const failure = readSshError('gpu', output);
    expect(failure.trouble).toBe(trouble);
    expect(failure.message).toMatch(/\.|config/);
  });

  it.each<[what: string, act: () => unknown, trouble: string]>([
    ['a shell that runs nothing', () => readHostReport('gpu', 'Welcome\n'), 'other'],
    ['no Node', () => readHostReport('gpu', 'system Linux x86_64\nend\n'), 'no_node'],
    ['an old Node', () => readHostReport('gpu', 'node v22.14.9 /usr/bin/node\nend'), 'old_node'],
    ['a path that needs quoting', () => readHostReport('gpu', 'node v24.1.0 /a b/node\nend'), 'no_node'],
    ['a full disk', () => readInstall('gpu', '{"ok":false,"code":"ENOSPC","message":"x"}'), 'disk_full'],
    ['an incomplete upload', () => readInstall('gpu', '{"ok":false,"code":"HASH","message":"x"}'), 'other'],
    ['no answer', () => readInstall('gpu', ''), 'other'],
    [
      'a worker that ends',
      () =>
        readStart('gpu', {
          stdout: 'hi\n{"ok":false,"trouble":"worker_ended","said":"boom"}',
          stderr: '',
          port: 0,
        }),
      'worker_ended',
    ],
  ])('[RW-25] %s', (_what, act, trouble) => {
    expect(act).toThrow(SshFailure);
    try {
      act();
    } catch (error) {
      expect(error).toMatchObject({ trouble });
    }
  });

  it('[RW-23] the newest Node is chosen, and output of a shell profile is ignored', () => {
    const output =
      'Welcome!\nsystem Darwin arm64\nnode v20.1.0 /usr/bin/node\nnode v24.2.1 /opt/n/node\ninstalled ab\nend\n';
    expect(readHostReport('gpu', output)).toEqual({
      system: 'Darwin arm64',
      node: '/opt/n/node',
      installed: true,
    });
  });
});
