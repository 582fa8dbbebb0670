import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handInsOf } from './erp.ts'
import { keyOf, listWords } from './kinds.ts'
import { runAuthorities } from './run-authorities.ts'

/**
 * The control: the same documents, sent with the usual loop, again with a new body until an answer says yes or no; and
 * the last of each ten once more, as after a restore. Returns how many were accepted more than once.
 */
export async function fireWithoutGuards(documents: number, seed: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-control-'))
  const authorities = await runAuthorities(join(folder, 'record.jsonl'), seed)
  try {
    for (const [at, { company, kind, references }] of handInsOf(documents).entries()) {
      const url = `${authorities.url}/${company}`
      const send = async (tries: number) => {
        const sentAt = `${at}.${tries}`
        const body =
          kind === 'zatca'
            ? { uuid: references[0], sentAt }
            : { documents: references.map((each) => ({ [listWords[kind].sent]: each })), sentAt }
        return attempt(`${url}/${kind}/submit`, await tokenOf(`${url}/token`), body)
      }
      for (let tries = 0; !(await send(tries)) && tries < 50; tries++);
      if (at % 10 === 9) await send(99)
    }
    const accepted = authorities.stored().filter(({ verdict }) => verdict === 'accepted')
    return [...Map.groupBy(accepted, keyOf).values()].filter(({ length }) => length > 1).length
  } finally {
    await authorities.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function attempt(url: string, token: string, body: unknown): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      redirect: 'manual',
    })
    return answer.status < 429
  } catch {
    return false
  }
}

/** Again while the address is ill. */
async function tokenOf(url: string): Promise<string> {
  for (;;) {
    const answer = await fetch(url, { method: 'POST' }).catch(() => undefined)
    if (answer?.ok) return ((await answer.json()) as { access_token: string }).access_token
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
