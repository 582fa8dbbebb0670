import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'

const program = fileURLToPath(new URL('start-process.ts', import.meta.url))
/** Compiled modules, as `npm start` keeps them. */
const compileCache = fileURLToPath(new URL('../../../../.stamps/compile-cache', import.meta.url))
const hook = new URL('die-at-statement.ts', import.meta.url).href

interface StartOptions {
  dataDir: string
  environment?: Record<string, string>
  /** The process is killed before this statement of SQLite, or when it has shown the first password, */
  killAt?: number | 'password'
  /** or so long after it began, */
  killAfterMs?: number
  /** or the disk of `dataDir` has no byte left from this statement on. */
  fullAt?: number
  /** Where the number of statements is written at the end. */
  countFile?: string
}

interface Started {
  /** Undefined: it did not come to serve. */
  url: string | undefined
  /** Of the first administrator, each that was shown. */
  passwords: string[]
  /** The one line for the operator. */
  refusal: string | undefined
  isKilled: boolean
  /** Ends one that serves. */
  end: () => Promise<void>
}

/** Starts the control plane as a process, and waits until it serves or has ended. */
export async function startBroken(options: StartOptions): Promise<Started> {
  const { dataDir, environment, killAt, killAfterMs, fullAt, countFile } = options
  const child = spawn(process.execPath, ['--import', hook, program], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: compileCache,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      TEST_FULL_DISK: dataDir,
      ...(killAt === undefined ? {} : { TEST_KILL_AT: String(killAt) }),
      ...(fullAt === undefined ? {} : { TEST_FULL_AT: String(fullAt) }),
      ...(countFile === undefined ? {} : { TEST_COUNT_FILE: countFile }),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const started: Started = {
    url: undefined,
    passwords: [],
    refusal: undefined,
    isKilled: false,
    end: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
  if (killAfterMs !== undefined)
    void Promise.race([delay(killAfterMs), ended]).then(() => child.kill('SIGKILL'))
  for await (const line of createInterface(child.stdout)) {
    const { password, url, refusal } = JSON.parse(line) as Record<string, string | undefined>
    if (password !== undefined) started.passwords.push(password)
    started.refusal ??= refusal
    if (url === undefined) continue
    child.stdout.resume()
    return { ...started, url }
  }
  await ended
  return { ...started, isKilled: child.signalCode === 'SIGKILL' }
}
