import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { processesFrom, productProcesses } from '../../e2e/harness/product-processes.ts'
import { runProduct } from '../../e2e/harness/run-product.ts'
import { cpuSeconds, memoryMiB } from '../gateway/measure.ts'

const starts = 3
const firstCalls = 4

/** The first start has no kept configuration. What all processes took until it was ready, and what workers then hold. */
export async function measureStart(environment: Record<string, string>) {
  const rows = []
  rmSync(join(environment['DATA_DIR'] ?? '', 'gateway-snapshot.json'), { force: true })
  for (let at = 0; at < starts; at++) {
    const began = performance.now()
    const product = await runProduct(environment)
    const ms = performance.now() - began
    const parent = product.process.pid ?? 0
    const cpu = processesFrom(parent).reduce((sum, pid) => sum + cpuSeconds(pid), 0)
    const statuses: number[] = []
    for (let call = 0; call < firstCalls; call++)
      statuses.push((await fetch(`${product.gatewayUrl}/authority-7/filled/7/1`)).status)
    rows.push({
      what: at === 0 ? 'without a kept configuration' : `start ${at}`,
      figure: Math.round(ms),
      goal: 'ms to ready' as const,
      'CPU, ms': Math.round(cpu * 1000),
      'first answers of the gateway': statuses.join(' '),
    })
    const workers = productProcesses(parent).filter(({ name }) => name.startsWith('worker'))
    if (at === starts - 1)
      for (const { name, pid } of workers)
        rows.push({ what: name, figure: memoryMiB(pid), goal: 'MiB of a worker' as const })
    await product.end('SIGTERM')
  }
  return rows
}
