import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { HostileAuthority } from './authorities.ts'
import { readRecord, type AuthorityRecord } from './authority-record.ts'

const script = fileURLToPath(new URL('authority-process.ts', import.meta.url))

export interface Authorities {
  urlOf(name: HostileAuthority['name']): string
  /** Closes its port, and every connection. */
  away(name: HostileAuthority['name']): void
  back(name: HostileAuthority['name']): void
  /** Notes in the record that the lanes have no limits any more. Resolves when it is noted. */
  mark(): Promise<void>
  record(): AuthorityRecord
  stop(): Promise<void>
}

/** Starts the authorities in one process; their record is a file that outlives it. */
export async function runAuthorities(
  settings: readonly HostileAuthority[],
  recordFile: string,
  seed: number,
): Promise<Authorities> {
  const child = spawn(
    process.execPath,
    [script, recordFile, String(seed), JSON.stringify(settings)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const ports = JSON.parse(line) as Record<string, number>
  const order = (text: string) => child.stdin.write(`${text}\n`)
  return {
    urlOf: (name) => `http://127.0.0.1:${ports[name]}`,
    away: (name) => order(`away ${name}`),
    back: (name) => order(`back ${name}`),
    mark: async () => {
      order('mark')
      while (readRecord(recordFile).markedAt === Infinity)
        await new Promise((resolve) => setTimeout(resolve, 20))
    },
    record: () => readRecord(recordFile),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
