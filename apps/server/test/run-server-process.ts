import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('server-process.ts', import.meta.url))

interface ServerProcessOptions {
  /** Its data; a new folder unless given. */
  dataDir?: string
  /** `ulimit -n` of the process. */
  openFilesMax?: number
  environment?: Record<string, string>
}

/** Runs the control plane as a process until the test ends. Resolves when it serves. */
export async function runServerProcess(options: ServerProcessOptions = {}) {
  const { dataDir = newFolder(), openFilesMax, environment } = options
  const limit = openFilesMax === undefined ? '' : `ulimit -n ${openFilesMax} && `
  const child = spawn('sh', ['-c', `${limit}exec "$0" "$1"`, process.execPath, program], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exited
  })
  const [first] = (await Promise.race([once(child.stdout, 'data'), exited])) as [Buffer | number]
  if (!Buffer.isBuffer(first)) throw new Error(`The server ended with ${first}.`)
  return { url: first.toString().trim().replace('localhost', '127.0.0.1'), child, exited }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-process-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
