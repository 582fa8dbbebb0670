import type { Duplex } from 'node:stream'
import {
  preloginAnswer,
  packetType,
  toPackets,
  columnMetadata,
  done,
  environmentCollation,
  environmentText,
  loginAck,
  messageToken,
  nullBitmapRow,
  returnStatus,
  returnValue,
  row,
} from '@gatehouse/tds-test-server'
import type { TdsValue } from '@gatehouse/tds-test-server'
import { describe, expect, it } from 'vitest'
import { mutated, seededIntegers } from '../../testing/mutations.ts'
import { startTestSqlsrv } from '../../testing/test-sqlsrv.ts'

const cells: [type: string, value: TdsValue][] = [
  ['int not null', 3],
  ['bigint', '77'],
  ['bit', true],
  ['decimal(38,10)', '1.5'],
  ['money', '1.5'],
  ['real', 0.5],
  ['nvarchar(50)', 'short'],
  ['nvarchar(max)', 'longer'.repeat(50)],
  ['text', 'old'],
  ['varbinary(max)', Buffer.alloc(50, 7)],
  ['uniqueidentifier', '6f9619ff-8b86-d011-b42d-00c04fc964ff'],
  ['date', '2026-11-21'],
  ['datetime2(7)', '2026-11-21T07:58:40.1234567'],
  ['datetimeoffset(7)', '2026-11-21T00:30:00.1234567+05:30'],
  ['datetime', '2026-11-21T07:58:40.997'],
]
const columns = cells.map(([type], at) => ({ name: `c${at}`, type }))
const values = cells.map(([, value]) => value)

const goodAnswer = Buffer.concat([
  columnMetadata(columns),
  row(columns, values),
  nullBitmapRow(columns, values),
  done('doneInProc', 0x11, 2),
  messageToken('info', { number: 5, message: 'A print.' }),
  returnStatus(3),
  returnValue(0, '@o', 'int', 5),
])

const goodLogin = Buffer.concat([
  environmentText('database', 'erp', 'master'),
  environmentCollation(),
  loginAck(),
  environmentText('packetSize', '4096', '4096'),
  done('done', 0),
])

const seeds = Array.from({ length: 8 }, (_, at) => at + 1)
const callsPerSeed = 40
const known = /^(?:ok|upstream\.(?:cut|tls|timeout|connect_timeout)|procedure\.\w+)$/

describe('bytes that are wrong somewhere', () => {
  it.each(seeds)('in an answer end each call and nothing else (seed %i)', async (seed) => {
    const integer = seededIntegers(seed)
    const { call } = await startTestSqlsrv({
      procedures: [
        {
          name: 'P',
          parameters: [{ name: '@o', type: 'int', isOutput: true }],
          run: () => [{ raw: mutated(goodAnswer, integer) }],
        },
      ],
    })
    const codes = new Set<string>()
    for (let count = 0; count < callsPerSeed; count++) {
      const answer = await call({ name: 'P' })
      codes.add(answer.ok ? 'ok' : answer.code)
      if (!answer.ok) expect(answer.isSent).toBe(true)
    }
    expect([...codes].filter((code) => !known.test(code))).toEqual([])
    expect(codes.size).toBeGreaterThan(1)
  })

  it.each(seeds)('in a sign-in end it before anything is called (seed %i)', async (seed) => {
    const integer = seededIntegers(seed)
    const onPrelogin = (stream: Duplex) => {
      const prelogin = toPackets(packetType.response, preloginAnswer('not supported'))
      stream.write(integer(3) === 0 ? mutated(prelogin, integer) : prelogin)
      stream.once('data', () => {
        stream.end(toPackets(packetType.response, mutated(goodLogin, integer)))
      })
    }
    const { call } = await startTestSqlsrv({
      onPrelogin,
      connection: { connectTimeoutMs: 200 },
    })
    for (let count = 0; count < callsPerSeed; count++) {
      const answer = await call({ name: 'P' })
      expect(answer).toMatchObject({ ok: false, isSent: false })
      expect(answer.ok ? 'ok' : answer.code).toMatch(known)
    }
  })
})
