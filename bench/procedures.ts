import os from 'node:os'
import { LosslessNumber } from '@gatehouse/contract/mapping'
import { createAddressGuard, createProcedureUpstream } from '@gatehouse/upstream'
import type { ProcedureApi } from '@gatehouse/upstream'
import mysql from 'mysql2/promise'
import { startMariadb } from '../scripts/throwaway-mariadb.mjs'

// What our stored-procedure upstream costs beside calling mysql2 directly: the same procedure, which
// returns one row, on the same server, in turns, so that whatever else the machine does hits both.

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

/** As somebody would who calls it by hand: a pool, a prepared statement, the same options. */
function directly(url: URL) {
  const pool = mysql.createPool({
    uri: url.href,
    database: 'bench',
    connectionLimit: 10,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    // By default mysql2 makes code from what the server sends, which saves about 20 µs a call.
    disableEval: true,
  })
  const call = (n: number) => pool.execute('CALL bench.item_of(?)', [String(n)])
  return { way: { name: 'mysql2 directly', call }, close: () => pool.end() }
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

async function compare(ways: readonly [Way, Way], callers: number) {
  const results = new Map<Way, Figures[]>(ways.map((way) => [way, []]))
  for (let round = -5; round < rounds; round++) {
    // Whoever goes first changes from round to round.
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      const figures = await measureRound(way, callers)
      if (round >= 0) results.get(way)?.push(figures)
    }
  }
  const [direct, ours] = ways.map((way) => results.get(way) ?? [])
  const times = (all: Figures[] | undefined) => (all ?? []).map((each) => each.microseconds)
  const ratios = times(ours).map((time, round) => time / (times(direct)[round] ?? time))
  return {
    'callers at once': callers,
    'directly, µs a call': Math.round(median(times(direct))),
    'through us, µs a call': Math.round(median(times(ours))),
    'CPU µs directly': Math.round(median((direct ?? []).map(({ cpu }) => cpu))),
    'CPU µs through us': Math.round(median((ours ?? []).map(({ cpu }) => cpu))),
    'overhead, median of rounds': median(ratios) - 1,
  }
}

const server = await startMariadb()
const url = new URL(server.url)
try {
  const tearDown = await setUp(url)
  const direct = directly(url)
  const ours = throughUs(url)
  const ways = [direct.way, ours.way] as const
  const results = [await compare(ways, 1), await compare(ways, 10)]
  await Promise.all([direct.close(), ours.close()])
  await tearDown()
  const cpu = os.cpus()
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpu.length} × ${cpu[0]?.model}, Node ${process.version}, load ${os.loadavg()[0]?.toFixed(1)}`,
  )
  console.log(`${rounds} rounds of ${callsPerRound} calls each way, one row of four columns`)
  for (const result of results) console.log(result)
  const overhead = results[0]?.['overhead, median of rounds'] ?? 1
  if (overhead > goal) {
    console.error(`Missed: overhead ${(overhead * 100).toFixed(1)} %, the goal is ${goal * 100} %`)
    process.exitCode = 1
  }
} finally {
  await server.stop()
}
