import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  json,
  runOf,
  startRunServer,
  type RunServer,
} from '../../../../../test/servers/run-server.ts'
import { toKnownRuns } from './known-run.ts'
import { runStore } from '../run-store.ts'

let app: RunServer
beforeAll(async () => {
  app = await startRunServer()
})
afterAll(() => app.close())

/** The real database, and how often it was asked. */
function counted() {
  let queries = 0
  const db = app.server.db.withPlugin({
    transformQuery: ({ node }) => {
      queries++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { runs: runStore(db, () => {}), queries: () => queries }
}

it('asks as often for a hundred runs as for one', async () => {
  const post = await app.endpoint()
  const body = '{"same":1}'
  const send = async (status: number) => {
    app.answer(json(status, {}))
    const key = crypto.randomUUID()
    return runOf(await app.tax([{ end_point: post, body }], { key })).id
  }
  const rejected = [await send(422), await send(422), await send(422)]
  const retry = await app.post(`/api/runs/${rejected[0]}/retry`, {
    endpoint_1: { body: '{"o":1}' },
  })
  // A first attempt that is answered as a duplicate: another sender has sent it.
  const foreign = await send(208)
  const { runs, queries } = counted()
  const [row] = await runs.listByContent((await runs.find(foreign))?.content_sha256 ?? '')
  const rows = await runs.listByContent(row?.content_sha256 ?? '')
  expect(rows.map(({ id }) => id)).toEqual([foreign, ...rejected.toReversed()])

  const before = queries()
  const known = await toKnownRuns(runs, rows)
  expect(queries() - before).toBe(3)
  expect(
    known.map(({ id, mayBeAccepted, retriedBy, hasSubmit }) => [
      id,
      mayBeAccepted,
      retriedBy,
      hasSubmit,
    ]),
  ).toEqual([
    [foreign, true, null, true],
    [rejected[2], false, null, true],
    [rejected[1], false, null, true],
    [rejected[0], false, runOf(retry).id, true],
  ])
})
