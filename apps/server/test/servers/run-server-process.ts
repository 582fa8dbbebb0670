import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { writeSqliteFile } from '../test-database.ts'
import type { Metered } from '../processes/metered-process.ts'

const program = fileURLToPath(new URL('server-process.ts', import.meta.url))
const meter = new URL('../processes/metered-process.ts', import.meta.url).href

interface ServerProcessOptions {
  /** Its data; a new folder unless given. */
  dataDir?: string
  /** `ulimit -n` of the process. */
  openFilesMax?: number
  environment?: Record<string, string>
  /** Measures its turns and its memory: see `measured`. */
  isMetered?: boolean
}

/** Runs the control plane as a process until the test ends. Resolves when it serves. */
export async function runServerProcess(options: ServerProcessOptions = {}) {
  const { openFilesMax, environment, isMetered = false } = options
  const dataDir = options.dataDir ?? (await newFolder(environment?.DATABASE_URL))
  const limit = openFilesMax === undefined ? '' : `ulimit -n ${openFilesMax} && `
  const child = spawn('sh', ['-c', `${limit}exec "$0" "$1"`, process.execPath, program], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      ...(isMetered ? { NODE_OPTIONS: `--import ${meter}` } : {}),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit', ...(isMetered ? (['ipc'] as const) : [])],
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exited
  })
  const [first] = (await Promise.race([once(child.stdout!, 'data'), exited])) as [Buffer | number]
  if (!Buffer.isBuffer(first)) throw new Error(`The server ended with ${first}.`)
  return { url: first.toString().trim().replace('localhost', '127.0.0.1'), child, exited }
}

/** What a metered process has measured since it was last asked. Rejects when it has ended. */
export async function measured(child: ChildProcess): Promise<Metered> {
  const isOver = new AbortController()
  const end = () => isOver.abort(new Error('The server has ended.'))
  child.once('exit', end)
  try {
    child.send('measure')
    const [figures] = (await once(child, 'message', { signal: isOver.signal })) as [Metered]
    return figures
  } finally {
    child.off('exit', end)
  }
}

/** With a database that needs no migrations, which cost a third more than the start. */
async function newFolder(databaseUrl: string | undefined): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-process-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  if (!databaseUrl) await writeSqliteFile(folder)
  return folder
}
