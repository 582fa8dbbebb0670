import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProduct, signIn } from './run-product.ts'

const writers = 4
const definition = (name: string) => ({
  name,
  api_protocol: 'http',
  authentication: false,
  gateway_status: 'active',
  api_access: 'internally',
  api_url: 'http://127.0.0.1:9',
})

interface KillReport {
  kills: number
  acknowledged: number
  lost: string[]
  /** Present although never acknowledged: the kill came between commit and answer. */
  unacknowledged: number
}

/**
 * Kills the product with SIGKILL in the middle of saves, the given number of times on one data
 * folder, and holds what is there in the end against what was acknowledged. Each round kills after a
 * different number of saves.
 */
export async function killWhileSaving(kills: number): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-kill-'))
  const acknowledged: string[] = []
  const attempted: string[] = []
  try {
    for (let round = 0; round < kills; round++) {
      const product = await runProduct({ DATA_DIR: folder })
      const call = await signIn(product.url)
      const killAfter = 1 + ((round * 7) % 23)
      let saved = 0
      const ended: { by?: Promise<unknown> } = {}
      const write = async (writer: number) => {
        for (let number = 0; !ended.by; number++) {
          const name = `round ${round} writer ${writer} save ${number}`
          attempted.push(name)
          // A call that dies with the server was not acknowledged.
          const answer = await call('POST', '/api/apis', definition(name)).catch(() => undefined)
          if (answer?.status !== 201) return
          acknowledged.push(name)
          if (++saved >= killAfter) ended.by ??= product.end('SIGKILL')
        }
      }
      await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
      await ended.by
    }
    const present = await listNames(folder)
    return {
      kills,
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((name) => !present.has(name)),
      unacknowledged: attempted.filter((name) => present.has(name)).length - acknowledged.length,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function listNames(folder: string): Promise<Set<string>> {
  const product = await runProduct({ DATA_DIR: folder })
  const call = await signIn(product.url)
  const names = new Set<string>()
  for (let page = 1, last = 1; page <= last; page++) {
    const answer = await call('GET', `/api/apis?limit=100&page=${page}`)
    const [{ data, last_page }] = answer.body as [
      { data: { submitted_data: string }[]; last_page: number },
    ]
    for (const { submitted_data } of data)
      names.add((JSON.parse(submitted_data) as { name: string }).name)
    last = last_page
  }
  await product.end('SIGTERM')
  return names
}
