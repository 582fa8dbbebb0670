import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { longestTurnMs, turnMaxMs } from '../../../test/time/longest-turn.ts'
import { createFileDatabase } from '../../../test/test-database.ts'

// A document of others holds up nobody, whatever is in it, and takes no more memory than its thread may.

const apiCount = 1_000

let server: TestServer
beforeAll(async () => {
  server = await buildServer({}, undefined, await createFileDatabase())
  const { admin, send, db } = server
  const body = {
    name: 'API 0',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: 'https://tax.example.com',
  }
  await send('POST', '/api/apis', { token: admin.token, body })
  const { id: _, ...row } = await db.selectFrom('api').selectAll().executeTakeFirstOrThrow()
  for (let number = 1; number < apiCount; number++) {
    const name = `API ${number}`
    const own = { name, name_key: name.toLowerCase(), context: `api-${number}` }
    await db
      .insertInto('api')
      .values({ ...row, ...own })
      .execute()
  }
  // The thread is there, and all code was run once.
  await post('diff', 'gatehouse: 1')
})
afterAll(() => server.close())

const post = (work: 'diff' | 'apply', document: string) => {
  const payload = Buffer.from(JSON.stringify({ document }))
  const headers = { 'content-type': 'application/json' }
  const url = `/api/configuration/${work}`
  return server.send('POST', url, { token: server.admin.token, headers, payload })
}

const lines = (count: number, line: (number: number) => string) =>
  `gatehouse: 1\napis:\n${Array.from({ length: count }, (_, at) => line(at)).join('')}`

/** Near the bound on its characters. */
const long = 4_190_000

describe('a hostile document is refused, and holds up nobody', () => {
  it.each<[string, string, RegExp]>([
    ['nothing but brackets', '['.repeat(long), /nested too deep/],
    ['lists in a line', '- '.repeat(long / 2), /nested too deep/],
    ['brackets that close', `[${'[],'.repeat(long / 3)}1]`, /too large/],
    ['mistakes', 'a: 1\n]\n'.repeat(5_000), /./],
    ['20,000 keys', lines(20_000, (at) => `  k${at}: 1\n`), /A thing has fields/],
    [
      '20,000 keys of a thing',
      lines(20_000, (at) => (at ? `    k${at}: 1\n` : '  A:\n')),
      /no such field/,
    ],
    ['keys twice', lines(20_000, (at) => `  k${at % 10_000}: {}\n`), /unique/],
    ['many aliases', `gatehouse: 1\na: &a 1\nb: [${'*a,'.repeat(20_000)}1]`, /aliases/],
  ])('%s', async (_, document, message) => {
    let answer: Awaited<ReturnType<typeof post>> | undefined
    const longest = await longestTurnMs(async () => {
      answer = await post('diff', document)
    })
    expect(answer?.status, answer?.text.slice(0, 500)).toBe(422)
    const { errors } = (answer?.body ?? {}) as { errors?: { document: string[] } }
    expect(errors?.document[0]).toMatch(message)
    expect(errors?.document.length).toBeLessThanOrEqual(20)
    expect(longest).toBeLessThan(turnMaxMs)
  })
})

it('1,000 APIs are compared, written and read again in the thread', async () => {
  let exported = ''
  let compared: unknown
  const longest = await longestTurnMs(async () => {
    const answer = await server.send('GET', '/api/configuration', { token: server.admin.token })
    exported = answer.text
    compared = (await post('diff', exported)).body
  })
  expect(exported.length).toBeGreaterThan(400_000)
  const { things } = compared as { things: { section: string; action: string }[] }
  const apis = things.filter(({ section }) => section === 'apis')
  expect(apis).toHaveLength(apiCount)
  expect(things.filter(({ action }) => action !== 'same')).toEqual([])
  expect(longest).toBeLessThan(turnMaxMs)
})
