import os from 'node:os'
import { LosslessNumber } from '@gatehouse/contract/mapping'
import { createAddressGuard, createProcedureUpstream } from '@gatehouse/upstream'
import type { ProcedureApi } from '@gatehouse/upstream'
import mysql from 'mysql2/promise'
import { startMariadb } from '../scripts/databases/throwaway-mariadb.mjs'

// What our stored-procedure upstream costs beside calling mysql2 directly: the same procedure, which
// returns one row, on the same server, in turns, so that whatever else the machine does hits all alike.

const rounds = Number(process.argv[2] ?? 40)
const callsPerRound = 500
const goal = 0.15

interface Way {
  name: string
  call: (n: number) => Promise<unknown>
}

interface Figures {
  microseconds: number
  cpu: number
}

async function setUp(url: URL) {
  const admin = await mysql.createConnection(url.href)
  await admin.query('CREATE DATABASE bench CHARACTER SET utf8mb4')
  await admin.query('USE bench')
  await admin.query(
    'CREATE TABLE bench.item (id INT PRIMARY KEY, name VARCHAR(50), price DECIMAL(12,2), at DATETIME(3))',
  )
  await admin.query(
    "INSERT INTO bench.item SELECT seq, CONCAT('Item ', seq), seq / 7, NOW(3) FROM seq_1_to_1000",
  )
  await admin.query(
    'CREATE PROCEDURE bench.item_of(IN item_id INT) READS SQL DATA SELECT * FROM bench.item WHERE id = item_id',
  )
  return async () => {
    await admin.query('DROP DATABASE bench')
    await admin.end()
  }
}

/**
 * mysql2 without our code: a pool, a prepared statement, the limit of 30 s that the server has too, and
 * options that keep every digit of a number and every fraction of a second. By default mysql2 generates
 * code from the columns that the server sends. Our client never does.
 */
function directly(url: URL, name: string, disableEval: boolean) {
  const pool = mysql.createPool({
    uri: url.href,
    database: 'bench',
    connectionLimit: 10,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    disableEval,
  })
  pool.pool.on('connection', (wire) => wire.query('SET SESSION max_statement_time = 30'))
  const call = (n: number) => pool.execute('CALL bench.item_of(?)', [String(n)])
  return { way: { name, call }, close: () => pool.end() }
}

function throughUs(url: URL) {
  const guard = createAddressGuard({ allow: [], deny: [], own: () => [] })
  const upstream = createProcedureUpstream({ guard })
  const api: ProcedureApi = {
    id: 'bench',
    connection: {
      driver: 'mysql',
      host: url.hostname,
      port: Number(url.port || 3306),
      database: 'bench',
      username: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      tls: 'off',
      connectTimeoutMs: 5_000,
    },
  }
  const call = async (n: number) => {
    const values = { item_id: new LosslessNumber(String(n)) }
    const answer = await upstream.call(api, { name: 'item_of', values })
    if (!answer.ok) throw new Error(answer.detail)
  }
  return { way: { name: 'through the upstream', call }, close: () => upstream.close() }
}

/** One round: wall time and our own CPU time per call, with so many callers at once. */
async function measureRound({ call }: Way, callers: number): Promise<Figures> {
  const begun = performance.now()
  const cpuBefore = process.cpuUsage()
  let next = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < callsPerRound) await call((next++ % 1000) + 1)
    }),
  )
  const { user, system } = process.cpuUsage(cpuBefore)
  const microseconds = ((performance.now() - begun) * 1000) / callsPerRound
  return { microseconds, cpu: (user + system) / callsPerRound }
}

const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

/** Round by round; the first is ours. */
async function compare(ways: readonly Way[], callers: number) {
  const results = ways.map((way) => ({ way, figures: [] as Figures[] }))
  for (let round = -5; round < rounds; round++) {
    // The order changes from round to round.
    const first = (round + 5) % results.length
    for (const { way, figures } of [...results.slice(first), ...results.slice(0, first)]) {
      const figure = await measureRound(way, callers)
      if (round >= 0) figures.push(figure)
    }
  }
  const ours = results[0]?.figures ?? []
  return results.map(({ way, figures }) => {
    const ratios = ours.map(
      ({ microseconds }, round) => microseconds / (figures[round]?.microseconds ?? 0),
    )
    return {
      way: way.name,
      'callers at once': callers,
      'µs a call': Math.round(median(figures.map(({ microseconds }) => microseconds))),
      'CPU µs a call': Math.round(median(figures.map(({ cpu }) => cpu))),
      'our overhead beside it, median of rounds': percent(median(ratios) - 1),
      overhead: median(ratios) - 1,
    }
  })
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

const server = await startMariadb()
const url = new URL(server.url)
try {
  const tearDown = await setUp(url)
  const ours = throughUs(url)
  const plain = directly(url, 'mysql2 directly, its code generation off', true)
  const generated = directly(url, 'mysql2 directly, its code generation on', false)
  const ways = [ours.way, plain.way, generated.way]
  const results = [...(await compare(ways, 1)), ...(await compare(ways, 10))]
  await Promise.all([ours.close(), plain.close(), generated.close()])
  await tearDown()
  const cpu = os.cpus()
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpu.length} × ${cpu[0]?.model}, Node ${process.version}, load ${os.loadavg()[0]?.toFixed(1)}`,
  )
  console.log(`${rounds} rounds of ${callsPerRound} calls each way, one row of four columns`)
  for (const { overhead: _, ...result } of results) console.log(result)
  for (const { way, overhead, 'callers at once': callers } of results) {
    if (overhead <= goal) continue
    console.error(
      `Missed with ${callers} at once: ${percent(overhead)} beside ${way}, the goal is ${percent(goal)}`,
    )
    process.exitCode = 1
  }
} finally {
  await server.stop()
}
