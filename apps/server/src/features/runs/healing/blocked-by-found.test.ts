import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startLaneServer, type LaneServer } from '../../../../test/servers/lane-server.ts'
import { json } from '../../../../test/servers/run-server.ts'
import { inTransactionOn } from '../../../stores.ts'
import { markSent } from '../journal/mark-sent.ts'
import type { SubmitEntry } from '../journal/submit-entry.ts'

// A run waited in its lane when the backup was made, and was sent before the restore (spec: restore).

let app: LaneServer
let endpoint: number
let flow: Awaited<ReturnType<LaneServer['workflow']>>
const has = new Set<string>()
beforeAll(async () => {
  app = await startLaneServer({ SESSION_IDLE_HOURS: '720', SESSION_MAX_HOURS: '8760' })
  const status = await app.endpoint({ method_type: 'get', path: '/status/{n}' })
  endpoint = await app.endpoint({
    run_settings: {
      reference_path: 'n',
      status_query: {
        endpoint_id: status,
        parameter: 'n',
        received: { statuses: '200' },
        not_received: { statuses: '404' },
        quiet_seconds: 10,
      },
    },
  })
  const step = { endpointId: endpoint, text: '{"n":"{{input.n}}"}' }
  flow = await app.workflow([step], { kind: 'tax' })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.startOver()
  app.answer((request, ...rest) => {
    const isThere = has.has(request.url.split('/').at(-1) ?? '')
    return json(request.method === 'GET' && !isThere ? 404 : 200, {})(request, ...rest)
  })
})

const put = async (n: string, more: object = {}) =>
  (await app.put(flow, { reference: n, inputText: JSON.stringify({ n, ...more }) })).runId

/** What the journal has of it, from a start that the backup does not know. Returns the run that is found. */
async function findSent(n: string, runId: number): Promise<number> {
  const { db, time } = app.server
  const now = () => time.now.toISOString()
  const { document_register: register } = await db
    .selectFrom('api')
    .innerJoin('endpoint', 'endpoint.api_id', 'api.id')
    .select('api.document_register')
    .where('endpoint.id', '=', endpoint)
    .executeTakeFirstOrThrow()
  const entry: SubmitEntry = {
    at: now(),
    register,
    kind: 'tax',
    test: false,
    references: [n],
    run: runId,
    run_kind: 'tax',
    step: 1,
    endpoint,
    attempt: 9_999,
    uuid: randomUUID(),
    sha256: 'x',
  }
  const entries = (async function* () {
    yield entry
  })()
  const inTransaction = inTransactionOn(db, { now: () => time.now })
  expect(await markSent({ inTransaction, entries, owner: 'here', now })).toBe(1)
  const { id } = await db
    .selectFrom('run')
    .select('id')
    .where('found_in', '=', 'journal')
    .where('reference', '=', n)
    .executeTakeFirstOrThrow()
  return id
}

/** `startOver` has paused the lane. */
async function release() {
  await app.server.db.updateTable('lane').set({ is_paused: 0 }).execute()
  await app.later(1_000)
}

async function heal(ms: number) {
  await app.later(ms)
  await app.server.healing.round()
  await app.server.healing.idle()
  await app.later(0)
}
const submitted = () =>
  app.upstream.received
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => (JSON.parse(body) as { n: string }).n)

it('is overtaken once the authority says that it has the document, and sent once it has not', async () => {
  const [there, missing] = [await put('B-1'), await put('B-2')]
  const foundIds = [await findSent('B-1', there), await findSent('B-2', missing)]
  has.add('B-1')
  // Before that is known.
  await release()
  for (const id of [there, missing])
    expect(await app.stateOf(id)).toMatchObject({ state: 'blocked' })
  expect(submitted()).toEqual([])

  for (let round = 0; round < 6; round++) await heal(15_000)
  expect(await app.show(there)).toMatchObject({ state: 'cancelled', overtaken_by: foundIds[0] })
  expect(await app.show(foundIds[0] ?? 0)).toMatchObject({ state: 'succeeded' })
  expect(await app.show(missing)).toMatchObject({ state: 'succeeded', overtaken_by: null })
  expect(submitted()).toEqual(['B-2'])
})

it('a run that came after the document was sent stays blocked: a program has sent it twice', async () => {
  const first = await put('B-3')
  await findSent('B-3', first)
  has.add('B-3')
  await app.later(1_000)
  const second = await put('B-3', { total: '2.10' })
  await release()
  for (let round = 0; round < 6; round++) await heal(15_000)
  expect(await app.stateOf(first)).toMatchObject({ state: 'cancelled' })
  expect(await app.stateOf(second)).toMatchObject({ state: 'blocked' })
  expect(submitted()).toEqual([])
})
