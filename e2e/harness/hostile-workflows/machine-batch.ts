import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { oneThatIsUp } from '../hostile-authority/mortal-server.ts'
import type { ShownRun } from './claims.ts'
import { againStatuses, postAs, triesMax, type Machine } from './machine-caller.ts'

interface Batch {
  machine: Machine
  workflow: string
  id: number
}

/** Uploads a batch until it is taken. Returns its id. */
export async function uploadBatch(
  machine: Machine,
  workflow: string,
  inputs: readonly object[],
): Promise<number> {
  const lines = inputs.map((input) => `${JSON.stringify(input)}\n`).join('')
  const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': randomUUID() }
  for (let tries = 0; tries < triesMax; tries++) {
    const answered = await postAs(machine, `/api/workflows/${workflow}/batches`, lines, headers)
    const batch = answered?.body.batch
    if (batch) {
      if (batch.total !== inputs.length) machine.claims.problem(`the batch has ${batch.total}`)
      return batch.id
    }
    if (answered && !againStatuses.has(answered.status))
      throw new Error(`batch: ${answered.status} ${JSON.stringify(answered.body)}`)
    await delay(200)
  }
  throw new Error('The batch could not be uploaded.')
}

/** Its inputs by state. Rejects where no answer came. */
export async function readBatch(batch: Batch): Promise<Record<string, number>> {
  const answer = await get(batch, '')
  return ((await answer.json()) as { batch: { counts: Record<string, number> } }).batch.counts
}

/** What is shown of each input, by its reference. Rejects where no answer came. */
export async function readResults(batch: Batch): Promise<[string, ShownRun][]> {
  const lines = (await (await get(batch, '/results?format=ndjson')).text()).split('\n')
  return lines.filter(Boolean).map((line) => {
    const result = JSON.parse(line) as ShownRun & { run_id: number; reference: string }
    return [result.reference, { ...result, id: result.run_id }]
  })
}

async function get({ machine, workflow, id }: Batch, path: string): Promise<Response> {
  const server = await oneThatIsUp(machine.servers)
  const answer = await fetch(`${server.url}/api/workflows/${workflow}/batches/${id}${path}`, {
    headers: { authorization: `Bearer ${machine.token}` },
    signal: AbortSignal.timeout(60_000),
  })
  if (!answer.ok) throw new Error(`batch ${id}: ${answer.status}`)
  return answer
}
