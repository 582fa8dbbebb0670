import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerTimeoutMs, hostileAuthorities } from './authorities.ts'
import { runAuthorities } from './run-authorities.ts'

/**
 * The control: sends documents to the same authorities with the usual loop, again until there is an answer
 * that says yes or no. Returns how many were accepted more than once, to show that the proof can see a
 * duplicate.
 */
export async function sendAllWithoutGuards(documents: number, seed: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-control-'))
  const described = hostileAuthorities({ careless: {}, careful: {}, later: {}, moody: {} })
  const authorities = await runAuthorities(described, join(folder, 'record.jsonl'), seed)
  try {
    for (let number = 0; number < documents; number++) {
      // The authority that knows its documents by their key takes each once from anybody.
      for (const name of ['careless', 'later', 'moody'] as const) {
        const body = JSON.stringify({ reference: `${name}/control/${number}`, total: number })
        for (let isDone = false; !isDone;)
          isDone = await send(`${authorities.urlOf(name)}/invoices`, body)
      }
    }
    const { stored } = authorities.record()
    const accepted = stored.filter(({ verdict }) => verdict === 'accepted')
    const byReference = Map.groupBy(accepted, ({ reference }) => reference)
    return [...byReference.values()].filter(({ length }) => length > 1).length
  } finally {
    await authorities.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function send(url: string, body: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerTimeoutMs)
    const answer = await fetch(url, { method: 'POST', body, signal })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
