import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { askWorkers, ownConnection } from '../ask-workers.ts'
import { productProcesses } from '../product-processes.ts'
import { runProduct, signIn, type Call, type Product } from '../run-product.ts'
import { makeTill, type Till } from '../upstreams/till.ts'
import { setUpGuarded, type GuardedPlaces } from './guarded-places.ts'
import { startRate, type RateResult } from './steady-rate.ts'

interface KillsOptions {
  kills: number
  /** Every so many, it is stopped in place of killed, so that it no longer answers its parent. */
  stuckEvery: number
  perSecond: number
  connections: number
  /** The control plane lives for a random part of this before it is killed again. */
  livesMaxMs: number
  environment?: Record<string, string>
}

interface KillsReport extends RateResult {
  kills: number
  stuck: number
  /** From each kill until the dashboard answered. */
  backMs: number[]
  /** What the gateway let through or refused wrongly, and changes that were not in force. */
  problems: string[]
  /** Processes of the gateway that ended. */
  ended: string[]
}

/**
 * Kills the control plane again and again while requests pass through the gateway. After each kill a change is made
 * and has to be in force, and what was refused before has to be refused.
 */
export async function killControlPlane(options: KillsOptions): Promise<KillsReport> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-control-kills-'))
  const product = await runProduct({
    DATA_DIR: folder,
    GATEWAY_WORKERS: '2',
    WATCHDOG_SECONDS: '3',
    ...options.environment,
  })
  try {
    const call = await signIn(product.url)
    const till = await makeTill(call)
    const guarded = await setUpGuarded(product, call)
    const processes = gatewayOf(product)
    const load = startRate(
      `${product.gatewayUrl}/till/hello`,
      options.perSecond,
      options.connections,
    )
    const report = { stuck: 0, backMs: [] as number[], problems: [] as string[] }
    for (let kill = 1; kill <= options.kills; kill++) {
      const isStuck = kill % options.stuckEvery === 0
      if (isStuck) report.stuck++
      await delay(Math.random() * options.livesMaxMs)
      report.backMs.push(await killOnce(product, isStuck ? 'SIGSTOP' : 'SIGKILL', guarded, report))
      await change({ product, call, till, text: `after kill ${kill}` }, report)
      report.problems.push(...(await guarded.problems()))
    }
    const rate = await load.stop()
    const left = new Set(gatewayOf(product).map(({ pid }) => pid))
    const ended = processes.filter(({ pid }) => !left.has(pid)).map(({ name }) => name)
    return { kills: options.kills, ...report, ...rate, ended }
  } finally {
    await product.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
}

const gatewayOf = ({ process }: Product) =>
  productProcesses(process.pid ?? 0).filter(({ name }) => name !== 'control plane')

/** Until the dashboard answers again: ms. */
async function killOnce(
  product: Product,
  signal: NodeJS.Signals,
  guarded: GuardedPlaces,
  report: { problems: string[] },
): Promise<number> {
  process.kill(product.controlPid(), signal)
  const beganMs = performance.now()
  // While there is no control plane.
  report.problems.push(...(await guarded.problems()))
  while (!(await answers(product.url))) await delay(20)
  return performance.now() - beganMs
}

/** One that is stopped takes connections, and answers nothing. */
const answers = (url: string) =>
  fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

interface Change {
  product: Product
  call: Call
  till: Till
  text: string
}

/** Makes it, and looks whether it is in force. */
async function change({ product, till, text }: Change, report: { problems: string[] }) {
  const { status } = await till.change(text)
  const answers = await askWorkers(async () => {
    const answer = await fetch(`${product.gatewayUrl}/till/hello`, { headers: ownConnection })
    return answer.text()
  })
  const others = answers.filter((seen) => seen !== JSON.stringify(text))
  if (status !== 200 || others.length > 0)
    report.problems.push(`the change to "${text}" got ${status}, and a worker answers ${others[0]}`)
}
