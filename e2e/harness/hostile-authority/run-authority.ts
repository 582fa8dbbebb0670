import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('authority-process.ts', import.meta.url))

/** Longer than the product waits for an answer (`answerTimeoutMs`). */
const lateMs = 1_500
export const answerTimeoutMs = 700

export interface Authority {
  url: string
  /** What it has accepted so far, by reference: how often. */
  accepted(): Map<string, number>
  stop(): Promise<void>
}

/**
 * Starts the authority as its own process; its record is a file that outlives it. It listens on all addresses,
 * where it is called by another one than this machine's own.
 */
export async function runAuthority(
  recordFile: string,
  seed: number,
  host = '127.0.0.1',
): Promise<Authority> {
  const listensOn = host === '127.0.0.1' ? host : '0.0.0.0'
  const args = [script, recordFile, String(seed), String(lateMs), listensOn]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    url: `http://${host}:${port}`,
    accepted: () => readAccepted(recordFile),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function readAccepted(recordFile: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of readFileSync(recordFile, 'utf8').split('\n').filter(Boolean)) {
    const { reference } = JSON.parse(line) as { reference: string }
    counts.set(reference, (counts.get(reference) ?? 0) + 1)
  }
  return counts
}
