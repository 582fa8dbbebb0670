import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inRoot } from '../lib/places.mjs'

const module = inRoot('scripts', 'set-up', 'ensure-programs.mjs')
/** Root can start a process as `nobody`; any other account is an ordinary one already. */
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const canRead = `import { accessSync } from 'node:fs'; accessSync(${JSON.stringify(module)})`
/** `nobody` can't read a checkout in the home folder of root. */
const canRun = process.platform === 'linux' && run(canRead, process.env).status === 0

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'gatehouse-fakes-'))
  // The account of the test writes there too.
  chmodSync(folder, 0o777)
  for (const name of ['sudo', 'sh', 'apt-get']) {
    const script = `#!/bin/sh\necho "${name} $*" >> "${folder}/calls"\n`
    writeFileSync(path.join(folder, name), script, { mode: 0o755 })
    chmodSync(path.join(folder, name), 0o755)
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(code: string, env: NodeJS.ProcessEnv) {
  const args = ['--input-type=module', '--eval', code]
  return spawnSync(process.execPath, args, { ...account, env, cwd: os.tmpdir(), encoding: 'utf8' })
}

/** Runs a function of the module where zbar and FreeTDS are missing; returns the programs called. */
function callsOf(name: 'ensurePrograms' | 'setUpPrograms') {
  const url = JSON.stringify(pathToFileURL(module).href)
  const { stdout } = run(`const all = await import(${url}); await all.${name}()`, { PATH: folder })
  const file = path.join(folder, 'calls')
  return { calls: existsSync(file) ? readFileSync(file, 'utf8') : '', output: stdout }
}

test.skipIf(!canRun)(
  'npm test installs nothing under an ordinary account, and never asks sudo',
  () => {
    const { calls, output } = callsOf('ensurePrograms')
    expect(output).toContain('SKIPPED: zbar: zbar was not found; run npm run setup')
    expect(calls).toBe('')
  },
)

test.skipIf(!canRun)('npm run setup installs through sudo, after it has shown the command', () => {
  const { calls, output } = callsOf('setUpPrograms')
  expect(output).toMatch(/^ {2}sudo sh .*install-programs\.sh .*zbar-tools/m)
  expect(calls).toMatch(/^sudo sh .*install-programs\.sh .*zbar-tools/m)
})
