import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerTimeoutMs, runAuthority } from './run-authority.ts'

/**
 * The control: sends the same invoices to the same authority with the usual loop, again until there
 * is an answer that says yes. Returns how many it accepted more than once, to show that the proof can
 * see a duplicate.
 */
export async function sendWithoutGuards(invoices: number, seed: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-control-'))
  const authority = await runAuthority(join(folder, 'accepted.jsonl'), seed)
  try {
    for (let number = 0; number < invoices; number++) {
      const body = JSON.stringify({ reference: `INV-${number}`, total: number })
      for (let isDone = false; !isDone;) isDone = await send(`${authority.url}/invoices`, body)
    }
    return [...authority.accepted().values()].filter((count) => count > 1).length
  } finally {
    await authority.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function send(url: string, body: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerTimeoutMs)
    const answer = await fetch(url, { method: 'POST', body, signal })
    return answer.ok && ((await answer.json()) as { status: string }).status === 'ACCEPTED'
  } catch {
    return false
  }
}
