import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad, type LoadResult } from '../apps/gateway/src/supervisor/testing/steady-load.ts'
import { runProduct, signIn, type Product } from '../e2e/harness/run-product.ts'
import { makeTill } from '../e2e/harness/upstreams/till.ts'

// The long form of the tests of the fleet, on the whole product with two workers and 32 busy connections:
// 200 changes of the configuration, 30 rolling restarts, 20 workers killed.
const changes = 200
const restarts = 30
const kills = 20
const connections = 32

type Call = Awaited<ReturnType<typeof signIn>>
interface Status {
  revision: number
  workers: { pid: number | null; state: string; revision: number | null }[]
}

const statusOf = async (call: Call) => (await call('GET', '/api/gateway')).body as Status
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const ms = (value: number) => `${value.toFixed(1)} ms`

async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await sleep(5)
}

async function underLoad(product: Product, work: () => Promise<void>): Promise<LoadResult> {
  const load = startLoad(`${product.gatewayUrl}/till/hello`, connections)
  await load.after(1_000)
  await work()
  await load.after(1_000)
  return load.stop()
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-fleet-'))
const product = await runProduct({ DATA_DIR: folder, GATEWAY_WORKERS: '2', LOG_LEVEL: 'error' })
try {
  const call = await signIn(product.url)
  const till = await makeTill(call)
  const problems: string[] = []

  const times: number[] = []
  const changed = await underLoad(product, async () => {
    for (let number = 0; number < changes; number++) {
      const began = performance.now()
      // Answered when every worker has it: the time holds the save, too.
      await till.change(`change ${number}`)
      times.push(performance.now() - began)
      const { revision, workers } = await statusOf(call)
      if (workers.some((worker) => worker.revision !== revision))
        problems.push(`change ${number} was answered before every worker had it`)
    }
  })
  console.log(
    `${changes} changes: ${changed.requests} requests, ${changed.failures.length} failed; ` +
      `saved and with every worker in ${ms(median(times))} (median), ${ms(Math.max(...times))} at most`,
  )

  const restarted = await underLoad(product, async () => {
    for (let round = 0; round < restarts; round++) {
      const before = new Set((await statusOf(call)).workers.map(({ pid }) => pid))
      product.process.kill('SIGHUP')
      await until(async () =>
        (await statusOf(call)).workers.every(
          ({ pid, state }) => state === 'serving' && !before.has(pid),
        ),
      )
    }
  })
  console.log(
    `${restarts} rolling restarts: ${restarted.requests} requests, ${restarted.failures.length} failed`,
  )

  const backAfter: number[] = []
  const killed = await underLoad(product, async () => {
    for (let round = 0; round < kills; round++) {
      const victim = (await statusOf(call)).workers[round % 2]?.pid ?? 0
      process.kill(victim, 'SIGKILL')
      const began = performance.now()
      await until(async () =>
        (await statusOf(call)).workers.every(
          ({ pid, state }) => state === 'serving' && pid !== victim,
        ),
      )
      backAfter.push(performance.now() - began)
      // By its turn to be killed again each has lived long enough not to be thought broken.
      await sleep(5_500)
    }
  })
  console.log(
    `${kills} workers killed: ${killed.requests} requests, ${killed.failures.length} failed, ` +
      `${kills * connections} at most could be in flight; back after ${ms(median(backAfter))} (median), ${ms(Math.max(...backAfter))} at most`,
  )

  problems.push(...changed.failures, ...restarted.failures)
  if (median(times) >= 100) problems.push('a change takes 100 ms or longer')
  if (killed.failures.length > kills * connections) problems.push('kills cost too much')
  if (killed.failures.some((failure) => failure.includes('ECONNREFUSED')))
    problems.push('the port was closed')
  if (Math.max(...backAfter) >= 2_000) problems.push('a worker was not back within two seconds')
  for (const problem of problems.slice(0, 20)) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  await product.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}
