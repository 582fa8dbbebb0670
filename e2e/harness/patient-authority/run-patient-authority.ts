import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('authority-process.ts', import.meta.url))

export interface PatientAuthority {
  url: string
  /** The references of the documents that it has accepted, once for each time. */
  accepted(): string[]
  /** Ends its process: connections are refused from then on. */
  goAway(): Promise<void>
  /** Starts it again at the same address. */
  comeBack(): Promise<void>
  /** Accepts what it has taken and not decided yet. */
  decide(): Promise<void>
  stop(): Promise<void>
}

/** Starts the authority as its own process; what it has accepted outlives it. */
export async function runPatientAuthority(): Promise<PatientAuthority> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-authority-'))
  const recordFile = join(folder, 'accepted')
  writeFileSync(recordFile, '')
  let child: ChildProcess
  let port = 0

  async function start(): Promise<void> {
    child = fork(script, [recordFile, String(port)], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    if (!child.stdout) throw new Error('The authority has no output.')
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    port = Number(line)
  }
  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    accepted: () => readFileSync(recordFile, 'utf8').split('\n').filter(Boolean),
    goAway: end,
    comeBack: start,
    decide: async () => {
      const decided = once(child, 'message')
      child.send('decide')
      await decided
    },
    stop: async () => {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
