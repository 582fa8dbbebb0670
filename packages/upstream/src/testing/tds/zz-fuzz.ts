import { createProcedureUpstream } from '../../procedure/procedure-upstream.ts'
import { createAddressGuard } from '../../address-guard.ts'
import { startTdsServer } from './tds-server.ts'
import {
  columnMetadata,
  row,
  nullBitmapRow,
  done,
  returnStatus,
  returnValue,
  messageToken,
  transactionBegan,
} from './tds-tokens.ts'

let seed = Number(process.argv[2] ?? 1)
const rnd = () => ((seed = (seed * 1103515245 + 12345) & 0x7fffffff), seed / 0x7fffffff)
const int = (n: number) => Math.floor(rnd() * n)
const cols: [string, any][] = [
  ['int', 5],
  ['bigint', '77'],
  ['bit', true],
  ['decimal(38,10)', '1.5'],
  ['money', '1.5'],
  ['float', 0.5],
  ['real', 0.5],
  ['nvarchar(50)', 'abc'],
  ['nvarchar(max)', 'hello'.repeat(50)],
  ['varchar(20)', 'caf'],
  ['text', 'long'],
  ['ntext', 'long'],
  ['xml', '<a/>'],
  ['varbinary(8)', Buffer.from([1, 2])],
  ['varbinary(max)', Buffer.alloc(50)],
  ['image', Buffer.from('img')],
  ['uniqueidentifier', '6f9619ff-8b86-d011-b42d-00c04fc964ff'],
  ['date', '2026-11-21'],
  ['time(7)', '23:59:59.9999999'],
  ['datetime2(7)', '2026-11-21T07:58:40.1234567'],
  ['datetimeoffset(7)', '2026-11-21T00:30:00.1234567+05:30'],
  ['datetime', '2026-11-21T07:58:40.997'],
  ['smalldatetime', '2079-06-06T23:59:00'],
  ['int not null', 3],
]
function good(): Buffer {
  const some = cols.filter(() => rnd() < 0.3)
  const use = some.length ? some : [cols[0]!]
  const columns = use.map(([type], i) => ({ name: `c${i}`, type }))
  const values = use.map(([, v]) => v)
  return Buffer.concat([
    columnMetadata(columns),
    row(columns, values),
    nullBitmapRow(columns, values),
    row(columns, values),
    done('doneInProc', 0x11, 3),
    ...(rnd() < 0.3 ? [messageToken('info', { number: 5, message: 'hello' })] : []),
    ...(rnd() < 0.3 ? [messageToken('error', { number: 50001, message: 'own' })] : []),
    ...(rnd() < 0.2 ? [transactionBegan(Buffer.alloc(8, 3))] : []),
    returnStatus(3),
    returnValue(0, '@o', 'int', 5),
    done('doneInProc', 0x11, 2),
  ])
}
function mutate(b: Buffer): Buffer {
  const c = Buffer.from(b)
  const n = 1 + int(3)
  for (let i = 0; i < n; i++) {
    const how = int(4)
    const at = int(c.length)
    if (how === 0) c[at] = int(256)
    else if (how === 1) c[at] = 0xff
    else if (how === 2) c[at] = c[at]! ^ (1 << int(8))
    else return Buffer.concat([c.subarray(0, at), Buffer.from([int(256)]), c.subarray(at)])
  }
  return rnd() < 0.1 ? c.subarray(0, int(c.length)) : c
}
process.on('uncaughtException', (e) => {
  console.log('UNCAUGHT', e.stack)
  process.exitCode = 1
})
process.on('unhandledRejection', (e) => {
  console.log('UNHANDLED', (e as Error).stack)
  process.exitCode = 1
})
const mode2 = () => rnd() < 0.3
const mode = process.argv[4] ?? 'raw'
import { preloginAnswer } from './tds-login.ts'
import { toPackets } from './tds-packets.ts'
import { loginAck, environmentText, environmentCollation } from './tds-tokens.ts'
const loginTokens = () =>
  Buffer.concat([
    environmentText('database', 'erp', 'master'),
    messageToken('info', { number: 5701, message: 'x' }),
    environmentCollation(),
    loginAck(),
    environmentText('packetSize', '4096', '4096'),
    done('done', 0),
  ])
const server = await startTdsServer({
  ...(mode === 'login'
    ? {
        onPrelogin: (stream) => {
          stream.write(
            mode2()
              ? mutate(toPackets(4, preloginAnswer('not supported')))
              : toPackets(4, preloginAnswer('not supported')),
          )
          stream.once('data', () => {
            const l = loginTokens()
            stream.write(rnd() < 0.8 ? toPackets(4, mutate(l)) : mutate(toPackets(4, l)))
            stream.on('data', () => stream.write(toPackets(4, mutate(good()))))
          })
        },
      }
    : {}),
  script: {
    procedures: [
      {
        name: 'P',
        parameters: [{ name: '@o', type: 'int', isOutput: true }],
        run: () =>
          mode === 'raw'
            ? [{ raw: mutate(good()) }]
            : [
                {
                  rawPacket: (() => {
                    const body = good()
                    const head = Buffer.from([4, 1, 0, 0, 0, 51, 1, 0])
                    head.writeUInt16BE(body.length + 8, 2)
                    return mutate(Buffer.concat([head, body]))
                  })(),
                },
              ],
      },
    ],
  },
})
const upstream = createProcedureUpstream({
  guard: createAddressGuard({ allow: ['127.0.0.0/8'], deny: [], own: () => [] }),
})
const connection = {
  driver: 'sqlsrv' as const,
  host: '127.0.0.1',
  port: server.port,
  database: 'erp',
  username: 'gatehouse',
  password: 'secret',
  tls: 'off' as const,
  connectTimeoutMs: 300,
}
const tally: Record<string, number> = {}
const total = Number(process.argv[3] ?? 500)
let next = 0
let worst = 0
async function worker() {
  while (next++ < total) {
    const begun = performance.now()
    const a = await upstream.call(
      { id: 'a', connection },
      { name: 'P', values: {}, timeoutMs: 400 },
    )
    worst = Math.max(worst, performance.now() - begun)
    const key = a.ok
      ? 'ok'
      : `${a.code} ${a.isSent} ${a.code === 'procedure.failed' ? a.detail.replace(/\d+/g, 'N').slice(0, 90) : ''}`
    tally[key] = (tally[key] ?? 0) + 1
  }
}
await Promise.all(Array.from({ length: 6 }, worker))
console.log(tally, 'worst', worst, 'rss', process.memoryUsage().rss / 1e6)
await server.close()
const t = setTimeout(() => {
  console.log('CLOSE HANGS')
  process.exit(1)
}, 10000)
await upstream.close()
clearTimeout(t)
