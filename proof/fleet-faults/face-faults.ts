import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeList } from '@gatehouse/contract'
import { signIn, type Call } from '../../e2e/harness/run-product.ts'
import { makeTill } from '../../e2e/harness/upstreams/till.ts'
import { faultsOf, type Fault } from './faults.ts'
import { startFleet, type Fleet } from './fleet.ts'
import { Invoices } from './invoices.ts'
import { Operator } from './operator.ts'
import { TokenBook } from './token-book.ts'
import { Traffic, type TrafficCount } from './traffic.ts'
import { VersionBook } from './version-book.ts'
import type { Wires } from './wires.ts'

interface FaceFaultsOptions {
  wires: Wires
  /** Between two requests of a client, of which each gateway has five. */
  pauseMs: number
  /** Between two acts of the operator. */
  actPauseMs: number
  awayMs: number
  /** Of the part that changes the configuration and strikes nobody. */
  changes: number
  /**
   * Where it is given, a gateway that has contact may not be later than this with a change. In any case it may never
   * go back behind what it has shown.
   */
  promisedMs?: number
  /** Which of them strike. */
  isStruck?: (fault: Fault) => boolean
  onRow?: (row: FaultRow) => void
}

export interface FaultRow extends TrafficCount {
  fault: string
  nodes: string
  said: string
  /** Acts of the operator that were not answered as done. */
  notDone: number
  /** From the end of the fault until every gateway showed a change that was made after it. */
  convergedMs: number
  /** How late a token that was revoked was accepted last, after it was revoked and there was contact. */
  revokedAcceptedMs: number
}

interface FaultReport {
  rows: FaultRow[]
  changes: number
  acts: { done: number; open: number }
  revoked: number
  /** What was not as it has to be when all was over. */
  atTheEnd: string[]
  invoices: Awaited<ReturnType<Invoices['judge']>>
}

/** Waiting longer means that it never comes. */
const convergeMaxMs = 60_000

/** Strikes a fleet that is busy with one fault after the other, and holds what it answered against what was done. */
export async function faceFaults(options: FaceFaultsOptions): Promise<FaultReport> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-faults-'))
  let fleet: Fleet | undefined
  try {
    fleet = await startFleet(folder, options.wires)
    return await strikeAll(fleet, options)
  } finally {
    await fleet?.stop()
    await options.wires.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Everybody who keeps the fleet busy. */
async function makeBusy(fleet: Fleet, options: FaceFaultsOptions) {
  const { wires, pauseMs, actPauseMs } = options
  const calls: Call[] = []
  for (const { url } of fleet.controls) calls.push(await signIn(url, 8_000))
  const call = calls[0]!
  const versions = new VersionBook(options.promisedMs ?? Infinity)
  const tokens = new TokenBook(versions)
  const endpoint = { authentication: 1 }
  const till = await makeTill(call, { text: `change ${versions.begin()}`, endpoint })
  versions.done(0)
  const rate_limit = { requests: 1_000_000, window_seconds: 60, per: 'token' }
  const sealed = await makeTill(call, {
    name: 'Limited',
    endpoint,
    api: { policy: { rate_limit } },
  })
  const { body } = await call('POST', '/admin/token/store', { name: 'clients' })
  const { token } = (body as { access_token: { token: string } }).access_token
  const { controls, gateways } = fleet
  const traffic = new Traffic({ gateways, versions, tokens, token, pauseMs })
  const acting = { controls, calls, till, sealed, versions, tokens }
  const operator = new Operator({ ...acting, pauseMs: actPauseMs })
  const invoices = await Invoices.open({
    controls,
    calls,
    folder: fleet.folder,
    host: wires.outside,
  })
  await traffic.ready()
  traffic.start()
  operator.start()
  invoices.start()
  return { calls, versions, tokens, traffic, operator, invoices }
}

type Busy = Awaited<ReturnType<typeof makeBusy>>

async function strikeAll(fleet: Fleet, options: FaceFaultsOptions): Promise<FaultReport> {
  const busy = await makeBusy(fleet, options)
  const { operator, traffic, invoices, tokens, versions } = busy
  const rows: FaultRow[] = []
  const forgetSince = (moment: number) => {
    versions.forgetSince(moment)
    tokens.forgetSince(moment)
    traffic.forget()
  }
  const { awayMs, changes } = options
  const faults = faultsOf({ fleet, operator, invoices, traffic, forgetSince, awayMs, changes })
  try {
    for (const fault of faults) {
      if (!(options.isStruck?.(fault) ?? true)) continue
      const row = await strike(fault, fleet, busy)
      rows.push(row)
      options.onRow?.(row)
    }
    await operator.stop()
    await traffic.stop()
    const judged = await invoices.judge()
    const atTheEnd = await differences(fleet, busy)
    return {
      rows,
      changes: versions.size,
      acts: { done: operator.done, open: operator.open.length },
      revoked: tokens.revocations,
      atTheEnd,
      invoices: judged,
    }
  } finally {
    await Promise.all([operator.stop(), traffic.stop(), invoices.stop()])
  }
}

async function strike(fault: Fault, fleet: Fleet, busy: Busy): Promise<FaultRow> {
  const { traffic, tokens, versions, operator } = busy
  const { name, nodes } = fault
  const before = operator.open.length
  traffic.take()
  tokens.worstMs = 0
  const said = (await fault.strike()) ?? ''
  const convergedMs = await converge(fleet, busy)
  // What the promise gives time for has to be over, too.
  if (versions.promisedMs < Infinity) await sleep(versions.promisedMs + 500)
  const count = traffic.take()
  const notDone = operator.open.length - before
  for (const { death } of fleet.nodes) if (death !== undefined) count.wrong.push(death)
  if (fault.isGentle) count.failed.push(...operator.open.slice(before))
  return {
    fault: name,
    nodes,
    said,
    notDone,
    convergedMs,
    revokedAcceptedMs: tokens.worstMs,
    ...count,
  }
}

/** Until every gateway has shown a change that was begun and answered after this call; Infinity where it never comes. */
async function converge({ gateways }: Fleet, { traffic, versions }: Busy): Promise<number> {
  const fromMs = performance.now()
  const { size } = versions
  const hasAll = () =>
    versions.last >= size && gateways.every((gateway) => traffic.shownBy(gateway) >= size)
  while (!hasAll()) {
    if (performance.now() - fromMs > convergeMaxMs) return Infinity
    await sleep(10)
  }
  return performance.now() - fromMs
}

/** When nothing strikes and nothing changes any more, all nodes live and run on the same. */
async function differences({ nodes }: Fleet, { calls }: Busy): Promise<string[]> {
  const untilMs = performance.now() + convergeMaxMs
  for (;;) {
    const found: string[] = []
    for (const call of calls) {
      const list = (await call('GET', '/api/nodes')).body as NodeList
      const alive = list.nodes.filter(({ life }) => life === 'alive')
      if (alive.length !== nodes.length) found.push(`${alive.length} nodes live`)
      for (const { name, role, is_current, state } of alive)
        if (role === 'gateway' && !(is_current && state?.mark === list.mark))
          found.push(`${role} ${name} runs on ${state?.revision} instead of ${list.revision}`)
    }
    if (found.length === 0 || performance.now() > untilMs) return found
    await sleep(200)
  }
}
