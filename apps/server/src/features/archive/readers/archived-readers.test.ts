import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunDetail, RunSummary } from '@gatehouse/contract'
import { beforeEach, expect, it } from 'vitest'
import {
  cut,
  json,
  runOf,
  startRunServer,
  type RunServer,
} from '../../../../test/servers/run-server.ts'

// Everything that reads what a run has sent and received, after that went to the archive.

let app: RunServer
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-archive-'))
  app = await startRunServer({ ARCHIVE_DIR: folder })
  return async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  }
})

/** Ten years later, after a round of the archive; sessions have ended, so signs in again. */
async function tenYearsLater(): Promise<string> {
  const { server } = app
  server.time.now = new Date(server.time.now.getTime() + 3651 * 86_400_000)
  const token = await server.signIn('admin@example.com')
  await server.send('POST', '/api/archive/round', { token })
  await server.unattended.archive.look()
  return token
}

const show = async (token: string, id: number, query = '') =>
  (await app.server.send('GET', `/api/runs/${id}${query}`, { token })).body as RunDetail

const acceptFirstRejectSecond = (first: number) => {
  let calls = 0
  app.answer((...exchange) =>
    (++calls === first ? json(200, { id: 'A-17' }) : json(422, { no: 'bad' }))(...exchange),
  )
}

/** A bundle of two steps: the second takes the id of the first's answer, and is rejected. */
async function rejectedBundle() {
  const [one, two] = [await app.endpoint(), await app.endpoint()]
  acceptFirstRejectSecond(1)
  const steps = [
    { end_point: one, body: '{"number": 1.50}' },
    { end_point: two, body: '{"of":"{{steps.1.body.id}}","n":1}' },
  ]
  return { steps, run: runOf(await app.tax(steps)) }
}

const sent = () => app.upstream.received.map(({ body }) => body)

it('the page of a run says where its bodies are, and reads them back when asked', async () => {
  const { run } = await rejectedBundle()
  const before = await app.show(run.id)
  const token = await tenYearsLater()
  const without = await show(token, run.id)
  expect(without.archive).toEqual({
    file_id: 1,
    file: 'runs-000001.ndjson.gz',
    line: 1,
    is_read: false,
  })
  expect(without.steps.map(({ body, source_body }) => [body, source_body])).toEqual([
    [null, null],
    [null, null],
  ])
  const facts = (detail: RunDetail) =>
    detail.steps.map(({ state, uuid, url, message }) => ({ state, uuid, url, message }))
  expect(facts(without)).toEqual(facts(before))
  const back = await show(token, run.id, '?archived=1')
  expect(back.archive).toMatchObject({ is_read: true })
  expect(back.steps).toEqual(before.steps)
})

it('downloads a whole answer from the archive', async () => {
  const { run } = await rejectedBundle()
  const path = `/api/runs/${run.id}/steps/1/answer`
  const before = await app.server.send('GET', path, { token: app.token })
  const token = await tenYearsLater()
  const after = await app.server.send('GET', path, { token })
  expect(after).toMatchObject({ status: 200, text: before.text })
  expect(after.headers['content-type']).toBe(before.headers['content-type'])
})

it('the same content is known ten years later, and is not sent again', async () => {
  app.answer(json(200, { id: 'A-17' }))
  const steps = [{ end_point: await app.endpoint(), body: '{"number":"INV-1"}' }]
  const first = runOf(await app.tax(steps))
  const token = await tenYearsLater()
  expect((await show(token, first.id)).archive).not.toBeNull()
  expect(runOf(await app.tax(steps, { as: token })).id).toBe(first.id)
  expect(sent()).toHaveLength(1)
})

it('a correction keeps what was accepted and sends what was not typed again as it was', async () => {
  const { run } = await rejectedBundle()
  const token = await tenYearsLater()
  app.answer(json(200, {}))
  const corrected = await app.post(`/api/runs/${run.id}/retry`, {}, token)
  expect(runOf(corrected)).toMatchObject({ state: 'succeeded' })
  expect(sent()).toEqual(['{"number": 1.50}', '{"of":"A-17","n":1}', '{"of":"A-17","n":1}'])
})

it('a run goes on with an answer of an older one that went to the archive', async () => {
  const { run } = await rejectedBundle()
  app.answer(cut)
  const fresh = runOf(
    await app.post(`/api/runs/${run.id}/retry`, {
      endpoint_2: { body: '{"m":"{{steps.1.body.id}}"}' },
    }),
  )
  await resolve(fresh, app.token)
  const token = await tenYearsLater()
  expect((await show(token, run.id)).archive).not.toBeNull()
  expect((await show(token, fresh.id)).archive).toBeNull()
  app.answer(json(200, {}))
  const resumed = await app.post(`/api/runs/${fresh.id}/resume`, {}, token)
  expect(runOf(resumed)).toMatchObject({ state: 'succeeded' })
  expect(sent().at(-1)).toBe('{"m":"A-17"}')
})

const resolve = (run: RunSummary, as: string) =>
  app.post(`/api/runs/${run.id}/resolve`, { step: 2, verdict: 'not_received' }, as)

it('what needs bodies is refused, with the reason, where the file is gone or was changed', async () => {
  const { run } = await rejectedBundle()
  const token = await tenYearsLater()
  const file = join(folder, 'runs-000001.ndjson.gz')
  const content = readFileSync(file)
  const codes = async () => [
    await codeOf(app.server.send('GET', `/api/runs/${run.id}?archived=1`, { token })),
    await codeOf(app.post(`/api/runs/${run.id}/retry`, {}, token)),
    await codeOf(app.server.send('GET', `/api/runs/${run.id}/steps/1/answer`, { token })),
  ]
  rmSync(file)
  expect(await codes()).toEqual(Array(3).fill('archive.file_missing'))
  for (const at of [20, content.length - 20]) {
    const changed = Buffer.from(content)
    changed[at] = (changed[at] ?? 0) ^ 1
    writeFileSync(file, changed)
    expect(await codes()).toEqual(Array(3).fill('archive.file_changed'))
  }
  expect(sent()).toHaveLength(2)
  writeFileSync(file, content)
  expect((await show(token, run.id, '?archived=1')).steps[0]?.body?.text).toBe('{"number": 1.50}')
  expect(readdirSync(folder)).toHaveLength(2)
})

const codeOf = async (call: Promise<{ body: unknown }>) =>
  ((await call).body as { code: string }).code
