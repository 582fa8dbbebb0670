import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseExact, stringifyExact } from '@gatehouse/contract/mapping'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { runOf, startRunServer, type RunServer } from '../../../../../test/servers/run-server.ts'

const folder = fileURLToPath(new URL('../../../../../fixtures/invoices/', import.meta.url))
const invoices = readdirSync(folder).filter((name) => name.endsWith('.json'))

let app: RunServer
const posts: number[] = []
beforeAll(async () => {
  app = await startRunServer()
  for (let each = 0; each < 4; each++) posts.push(await app.endpoint())
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  // An authority that answers with the very document.
  app.answer((request, response) => void response.end(request.body))
})

it.each(invoices)('%s goes through four steps byte for byte', async (name) => {
  const text = readFileSync(folder + name, 'utf8')
  const sent = await app.tax(posts.map((end_point) => ({ end_point, body: text })))
  expect(sent.status, sent.text).toBe(200)
  expect(app.upstream.received).toHaveLength(4)
  for (const { body } of app.upstream.received) expect(body).toBe(text)
  const { steps } = await app.show(runOf(sent).id)
  for (const step of steps) {
    expect(step.body).toEqual({ text, bytes: Buffer.byteLength(text), is_whole: true })
    expect(step.attempts[0]?.answer_body?.text).toBe(text)
  }
})

it.each(invoices)('%s is taken over whole by a placeholder, step after step', async (name) => {
  const text = readFileSync(folder + name, 'utf8')
  const passing = (from: number) => `{"document":"{{steps.${from}.body.document}}"}`
  const body = `{"document":${text}}`
  const sent = await app.tax(
    [body, passing(1), passing(2), passing(3)].map((each, index) => ({
      end_point: posts[index] ?? 0,
      body: each,
    })),
  )
  expect(sent.status, sent.text).toBe(200)
  const exact = stringifyExact(parseExact(body))
  expect(app.upstream.received.slice(1).map((each) => each.body)).toEqual([exact, exact, exact])
})
