import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Stored } from './kinds.ts'

const script = fileURLToPath(new URL('authority-process.ts', import.meta.url))

export interface Authorities {
  url: string
  /** What they have taken, in its order. */
  stored(): Stored[]
  stop(): Promise<void>
}

/** Starts the authorities in one process; their record is a file that outlives it. */
export async function runAuthorities(recordFile: string, seed: number): Promise<Authorities> {
  writeFileSync(recordFile, '')
  const child = spawn(process.execPath, [script, recordFile, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    url: `http://127.0.0.1:${port}`,
    stored: () =>
      readFileSync(recordFile, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Stored),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
