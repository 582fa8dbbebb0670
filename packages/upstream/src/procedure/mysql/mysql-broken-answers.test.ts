import { expect, onTestFinished, test } from 'vitest'
import { okPacket, startFakeMysql } from '../../testing/fake-mysql.ts'
import { openGuard } from '../../testing/test-upstream.ts'
import { createProcedureUpstream } from '../procedure-upstream.ts'

// Answers to a prepared statement that no database gives.

const prepare = 0x16
const execute = 0x17
const definition = (name: string, type: number) =>
  Buffer.concat([
    Buffer.from(`\x03def\0\0\0${String.fromCharCode(name.length)}${name}\0\x0c`),
    Buffer.from([45, 0, 255, 0, 0, 0, type, 0, 0, 0, 0, 0]),
  ])
const text = 253
const endOfFile = Buffer.from([0xfe, 0, 0, 2, 0])
/** Of two parameters. */
const prepared = [
  Buffer.from([0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]),
  definition('?', text),
  definition('?', text),
  endOfFile,
]

/** Answers the first prepared statement, which asks the catalogue, with these packets. */
async function answerWith(packets: Buffer[]) {
  const fake = await startFakeMysql({
    answer: ([command]) =>
      command === prepare ? prepared : command === execute ? packets : [okPacket],
  })
  const upstream = createProcedureUpstream({ guard: openGuard })
  onTestFinished(() => upstream.close())
  const answer = await upstream.call(
    {
      id: 'api',
      connection: {
        driver: 'mysql',
        host: '127.0.0.1',
        port: fake.port,
        database: 'shop',
        username: 'reader',
        password: 'secret',
        tls: 'off',
        connectTimeoutMs: 20_000,
      },
    },
    { name: 'anything', values: {}, timeoutMs: 20_000 },
  )
  if (answer.ok) throw new Error('expected a failure')
  return answer
}

const oneColumn = [Buffer.from([1]), definition('a', text), endOfFile]

test('a row that never ends is given up while it comes', async () => {
  // A packet of this length says that the next one belongs to it.
  const part = Buffer.alloc(0xff_ff_ff)
  const answer = await answerWith([...oneColumn, part, part, part, part, part])
  expect(answer).toMatchObject({ code: 'procedure.failed', isSent: false })
  expect(answer.detail).toContain('sent more than')
})

test.each([
  ['a row that ends within a value', [...oneColumn, Buffer.from([0, 0, 200, 97])]],
  ['an empty row', [...oneColumn, Buffer.from([0])]],
  ['fewer columns than announced', [Buffer.from([2]), definition('a', text), endOfFile]],
  ['more columns than announced', [Buffer.from([1]), definition('a', text), definition('b', text)]],
  ['a column that breaks off', [Buffer.from([1]), definition('a', text).subarray(0, 6), endOfFile]],
  [
    'noise',
    [Buffer.from([3]), Buffer.alloc(40, 17), Buffer.alloc(40, 18), Buffer.alloc(40, 19), endOfFile],
  ],
])('what cannot be read is a failure and no success: %s', async (_, packets) => {
  // The last packet ends the answer, in case it is still being read.
  const answer = await answerWith([...packets, endOfFile])
  expect(answer.status).toBe(502)
  expect(answer.code).not.toBe('procedure.not_found')
  expect(answer.isSent).toBe(false)
})
