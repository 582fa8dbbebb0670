import { LosslessNumber } from '@gatehouse/contract/mapping'
import { createAddressGuard, createProcedureUpstream } from '@gatehouse/upstream'
import mysql from 'mysql2/promise'
import { startMariadb } from '../scripts/throwaway-mariadb.mjs'
const which = process.argv[2]
const callers = Number(process.argv[3] ?? 1)
const n = Number(process.argv[4] ?? 20000)
const server = await startMariadb()
const url = new URL(server.url)
const admin = await mysql.createConnection(url.href)
await admin.query('CREATE DATABASE IF NOT EXISTS bench CHARACTER SET utf8mb4')
await admin.query(
  'CREATE TABLE IF NOT EXISTS bench.item (id INT PRIMARY KEY, name VARCHAR(50), price DECIMAL(12,2), at DATETIME(3))',
)
await admin
  .query(
    "INSERT IGNORE INTO bench.item SELECT seq, CONCAT('Item ', seq), seq / 7, NOW(3) FROM seq_1_to_1000",
  )
  .catch(() =>
    admin
      .query('USE bench')
      .then(() =>
        admin.query(
          "INSERT IGNORE INTO bench.item SELECT seq, CONCAT('Item ', seq), seq / 7, NOW(3) FROM seq_1_to_1000",
        ),
      ),
  )
await admin.query(
  'CREATE OR REPLACE PROCEDURE bench.item_of(IN item_id INT) READS SQL DATA SELECT * FROM bench.item WHERE id = item_id',
)
await admin.end()
const pool = mysql.createPool({
  uri: url.href,
  database: 'bench',
  connectionLimit: 10,
  supportBigNumbers: true,
  bigNumberStrings: true,
  dateStrings: true,
  disableEval: which !== 'direct-eval',
})
const upstream = createProcedureUpstream({
  guard: createAddressGuard({ allow: [], deny: [], own: () => [] }),
})
const api = {
  id: 'bench',
  connection: {
    driver: 'mysql',
    host: url.hostname,
    port: Number(url.port),
    database: 'bench',
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    tls: 'off',
    connectTimeoutMs: 5000,
  },
} as const
const ways: Record<string, (n: number) => Promise<unknown>> = {
  direct: (i) => pool.execute('CALL bench.item_of(?)', [String(i)]),
  'direct-eval': (i) => pool.execute('CALL bench.item_of(?)', [String(i)]),
  ours: async (i) => {
    const a = await upstream.call(api, {
      name: 'item_of',
      values: { item_id: new LosslessNumber(String(i)) },
    })
    if (!a.ok) throw new Error(a.detail)
    return a
  },
}
const way = ways[which ?? '']!
async function run(total: number) {
  let i = 0
  const before = process.cpuUsage()
  const t = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (i < total) await way((i++ % 1000) + 1)
    }),
  )
  const { user, system } = process.cpuUsage(before)
  return [
    Math.round(((performance.now() - t) * 1000) / total),
    Math.round(user / total),
    Math.round(system / total),
  ]
}
await run(3000)
import { Session } from 'node:inspector/promises'
const s = new Session()
s.connect()
if (process.env.HEAP)
  await s.post('HeapProfiler.startSampling', {
    samplingInterval: 2048,
    includeObjectsCollectedByMinorGC: true,
    includeObjectsCollectedByMajorGC: true,
  } as never)
const out = []
for (let k = 0; k < 5; k++) out.push(await run(n / 5))
console.log(which, callers, 'wall/user/sys', out.map((x) => x.join('/')).join('  '))
if (process.env.HEAP) {
  const { profile } = await s.post('HeapProfiler.stopSampling')
  ;(await import('node:fs')).writeFileSync('/tmp/perf/' + which + '.heap', JSON.stringify(profile))
}
await pool.end()
await upstream.close()
await server.stop()
