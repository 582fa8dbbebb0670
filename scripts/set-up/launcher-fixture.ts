import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  watch as watchFolder,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { findNpm } from './find-npm.mjs'
import { inRoot } from '../lib/places.mjs'

/** A server that says when it is up and when it is asked to stop. */
const server = `
process.on('SIGTERM', () => { console.log('stopping'); process.exit(0) })
if (process.argv[2]) process.exit(Number(process.argv[2]))
console.log('ready')
setInterval(() => {}, 1000)
`

/** In place of Vite: notes that it ran, and fails while there is a file `broken` in the top folder. */
const vite = `
import fs from 'node:fs'
fs.appendFileSync('builds', 'x')
if (fs.existsSync('broken')) { console.log('no such component'); process.exit(1) }
const folder = process.argv[process.argv.indexOf('--outDir') + 1]
fs.mkdirSync(folder, { recursive: true })
fs.writeFileSync(folder + '/index.html', '')
`

/** In place of the bundler: notes that it ran, and takes the server as it is. */
const rolldown = `
import fs from 'node:fs'
export async function rolldown({ input }) {
  fs.appendFileSync('bundles', 'x')
  const write = async ({ dir }) => {
    fs.mkdirSync(dir + '/lib')
    fs.copyFileSync(input['lib/server'], dir + '/lib/server.mjs')
    return { output: [] }
  }
  return { write, close: async () => {} }
}
`

/** Runs inside of `npm ci`: while there is a file `slow` in the top folder it keeps running, on a port that it writes down. */
const install = `
import fs from 'node:fs'
import net from 'node:net'
if (fs.existsSync('slow')) {
  const server = net.createServer().listen(0, '127.0.0.1', () => {
    fs.writeFileSync('port.new', String(server.address().port))
    fs.renameSync('port.new', 'port')
  })
}
`

/** A small repository with the real scripts in it, whose packages are all its own. */
export class LauncherFixture {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'gatehouse-launcher-'))

  async make(): Promise<void> {
    cpSync(inRoot('scripts'), this.at('scripts'), {
      recursive: true,
      filter: (file) => !file.endsWith('.ts'),
    })
    this.write('package.json', {
      version: '1.0.0',
      private: true,
      type: 'module',
      workspaces: ['packages/*', 'apps/*'],
      scripts: { start: 'node scripts/run.mjs start', preinstall: 'node install.mjs' },
    })
    this.write('packages/vite/package.json', {
      name: 'vite',
      version: '1.0.0',
      type: 'module',
      bin: 'vite.mjs',
    })
    this.write('packages/rolldown/package.json', {
      name: 'rolldown',
      version: '1.0.0',
      type: 'module',
      exports: './rolldown.mjs',
    })
    this.write('packages/rolldown/rolldown.mjs', rolldown)
    this.write('packages/contract/package.json', { name: 'contract', version: '1.0.0' })
    this.write('apps/dashboard/package.json', { name: 'dashboard', version: '1.0.0' })
    this.write('packages/vite/vite.mjs', vite)
    this.write('apps/standalone/src/main.ts', server)
    for (const part of ['server', 'gateway'])
      this.write(`apps/${part}/package.json`, { name: part, version: '1.0.0' })
    mkdirSync(this.at('apps/server/migrations'))
    this.write('LICENSE', '')
    this.write('install.mjs', install)
    await this.npm(['install', '--package-lock-only', '--offline', '--ignore-scripts']).end
  }

  /** The same repository in a folder of its own, with what was installed in it. */
  static copyOf(made: LauncherFixture): LauncherFixture {
    const copy = new LauncherFixture()
    cpSync(made.folder, copy.folder, { recursive: true, verbatimSymlinks: true })
    return copy
  }

  at(...parts: string[]): string {
    return path.join(this.folder, ...parts)
  }

  write(file: string, content: string | object): void {
    mkdirSync(path.dirname(this.at(file)), { recursive: true })
    writeFileSync(this.at(file), typeof content === 'string' ? content : JSON.stringify(content))
  }

  /** Resolves when a slow `npm ci` is at work; what it gives resolves once nothing of that is left. */
  async installIsRunning(): Promise<{ gone: Promise<unknown> }> {
    const watcher = watchFolder(this.folder)
    await new Promise<void>((resolve) => {
      const look = () => {
        if (existsSync(this.at('port'))) resolve()
      }
      watcher.on('change', look)
      look()
    })
    watcher.close()
    const socket = connect(Number(readFileSync(this.at('port'), 'utf8')), '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => {}).resume()
    return { gone: new Promise((resolve) => socket.once('close', resolve)) }
  }

  start(...args: string[]): Running {
    return this.command('start', args)
  }

  command(name: string, args: string[], settings: NodeJS.ProcessEnv = {}): Running {
    return this.run([this.at('scripts', 'run.mjs'), name, ...args], settings)
  }

  npm(args: string[]): Running {
    return this.run([findNpm(), ...args])
  }

  readonly #started: Running[] = []

  private run(args: string[], settings: NodeJS.ProcessEnv = {}): Running {
    // As from a shell, not as from the npm that runs these tests.
    const env = Object.fromEntries(
      Object.entries({ ...process.env, ...settings }).filter(([name]) => !name.startsWith('npm_')),
    )
    const running = watch(
      spawn(process.execPath, args, { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] }),
    )
    this.#started.push(running)
    return running
  }

  /** Ends what still runs of what was started. */
  async stop(): Promise<void> {
    for (const running of this.#started) running.kill('SIGTERM')
    await Promise.all(this.#started.splice(0).map((running) => running.end))
  }

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

type Running = ReturnType<typeof watch>

function watch(child: ReturnType<typeof spawn>) {
  const lines: string[] = []
  const waiting: { text: string; found: () => void }[] = []
  for (const input of [child.stdout, child.stderr]) {
    if (!input) continue
    createInterface({ input }).on('line', (line) => {
      lines.push(line)
      for (const { text, found } of waiting) if (line.includes(text)) found()
    })
  }
  // "close" comes when no process holds the output: no child and no grandchild is left.
  const end = once(child, 'close').then(([code]: unknown[]) => Number(code ?? 128))
  return {
    lines,
    end,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    async says(text: string): Promise<void> {
      if (lines.some((line) => line.includes(text))) return
      const said = new Promise<void>((resolve) => waiting.push({ text, found: resolve }))
      const isSaid = await Promise.race([said.then(() => true), end.then(() => false)])
      if (!isSaid) throw new Error(`It ended without saying "${text}":\n${lines.join('\n')}`)
    },
  }
}
