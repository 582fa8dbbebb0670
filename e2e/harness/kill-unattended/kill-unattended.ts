import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runProduct, signIn, type Product } from '../run-product.ts'
import { judgeUnattended } from './judge-unattended.ts'
import { killFor, killReasons, type KillReason } from './mortal-life.ts'
import { startOutsideWorld, type OutsideWorld } from './outside-world.ts'
import type { Moment, ScheduleTable } from './schedule-table.ts'
import { setUpUnattended, type SetUp } from './set-up-unattended.ts'
import { readFacts, settled } from './unattended-facts.ts'

export interface UnattendedRun {
  kills: number
  /** A kill at random comes that long after the server was ready, at most. */
  withinMs: number
  /** New elements of the list before each kill. */
  elements: number
  seed: number
  /** The schedules of the database in that folder, or of the one that servers share. */
  schedules: (folder: string) => ScheduleTable
  /** Two servers share this PostgreSQL; without it there is one, on SQLite. */
  databaseUrl?: string
  /** After every fiftieth kill the server stays away for that long. */
  longAwayMs?: number
  settleWithinMs: number
}

interface UnattendedReport {
  kills: Record<KillReason, number>
  moments: number
  /** Moments that came while the firing before them went on. */
  skipped: number
  elements: number
  /** Firings that were continued: they have fetched their list once more. */
  resumed: number
  /** Firings that a kill cut after some of their runs were started. */
  amid: number
  runs: number
  messages: number
  /** Messages that the receiver had taken before: it gets the same id again. */
  takenAgain: number
  seconds: number
  faults: string[]
}

/**
 * Fires schedules and reports results while the product is killed with SIGKILL, between the answer of the
 * receiver and its record, and in the middle of firings. Holds what the product shows in the end against
 * what the world outside has seen.
 */
export async function killUnattended(options: UnattendedRun): Promise<UnattendedReport> {
  const beganMs = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-unattended-'))
  const random = seeded(options.seed)
  const world = await startOutsideWorld(random)
  const servers: Server[] = []
  try {
    servers.push(...(await startServers(options, folder)))
    const setUp = await setUpUnattended(await signIn(servers[0]!.product.url), world.url)
    world.expectSecret(setUp.secret)
    const schedules = options.schedules(servers[0]!.folder)
    const kills = await killAll(options, { servers, world, schedules, random })
    const rest = await finish(options, { servers, world, schedules, setUp, moments: kills.moments })
    return {
      kills: kills.byReason,
      amid: kills.amid,
      ...rest,
      seconds: Math.round((performance.now() - beganMs) / 1_000),
    }
  } finally {
    await Promise.all(servers.map(({ product }) => product.end('SIGKILL')))
    world.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const longList = 100

/** A server that starts looks at its schedules after a second. */
const goesOnMs = 1_400

interface Server {
  folder: string
  start: () => Promise<Product>
  product: Product
}

async function startServers({ databaseUrl }: UnattendedRun, parent: string): Promise<Server[]> {
  const shared = {
    APP_KEY: randomBytes(32).toString('base64'),
    GATEWAY_WORKERS: '1',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  }
  const servers: Server[] = []
  for (let index = 0; index < (databaseUrl ? 2 : 1); index++) {
    const folder = join(parent, `server-${index}`)
    const start = () => runProduct({ ...shared, DATA_DIR: folder })
    servers.push({ folder, start, product: await start() })
  }
  return servers
}

interface Scene {
  servers: readonly Server[]
  world: OutsideWorld
  schedules: ScheduleTable
}

async function killAll(options: UnattendedRun, scene: Scene & { random: () => number }) {
  const { servers, world, schedules, random } = scene
  const moments: Moment[] = []
  let amid = 0
  const byReason = Object.fromEntries(killReasons.map((reason) => [reason, 0])) as Record<
    KillReason,
    number
  >
  for (let kill = 0; kill < options.kills; kill++) {
    const reason = killReasons[kill % killReasons.length]!
    const server = servers[Math.floor(random() * servers.length)]!
    // What the last life has left goes on first: a moment that comes meanwhile is skipped.
    await delay(goesOnMs)
    world.grow(reason === 'amid a list' ? longList : options.elements)
    moments.push(...(await schedules.bringMoments()))
    await killFor(reason, { ...options, product: server.product, world, random })
    byReason[reason]++
    amid += await schedules.countBegun(nameOf(server))
    if (kill % 50 === 49) await delay(options.longAwayMs ?? 0)
    server.product = await server.start()
  }
  return { byReason, moments, amid }
}

/** The name under which a server holds leases. */
const nameOf = ({ folder }: Server) => readFileSync(join(folder, 'instance-id'), 'utf8').trim()

async function finish(options: UnattendedRun, scene: Scene & { setUp: SetUp; moments: Moment[] }) {
  const { servers, world, schedules, setUp, moments } = scene
  const call = await signIn(servers[0]!.product.url)
  // Twice: the first may be skipped, because the firing before it goes on.
  for (const _ of [1, 2]) {
    moments.push(...(await schedules.bringMoments()))
    await settled(call, setUp, options.settleWithinMs)
  }
  const facts = await readFacts(call, setUp)
  const listed = world.elements.map(({ no }) => no)
  const firings = [...facts.firings.values()].flat()
  const { arrivals, forged } = world
  const lists = facts.firings.get(setUp.list)?.filter(({ state }) => state === 'done') ?? []
  return {
    moments: moments.length,
    skipped: firings.filter(({ state }) => state === 'skipped').length,
    elements: listed.length,
    resumed: world.listsFetched() - lists.length,
    runs: facts.runs.length,
    messages: facts.deliveries.length,
    takenAgain: countTakenAgain(arrivals),
    faults: judgeUnattended({ setUp, facts, moments, listed, arrivals, forged }),
  }
}

/** Arrivals of a message that was taken before. */
function countTakenAgain(arrivals: readonly { id: string; isTaken: boolean }[]): number {
  const taken = new Set<string>()
  let again = 0
  for (const { id, isTaken } of arrivals) {
    if (taken.has(id)) again++
    if (isTaken) taken.add(id)
  }
  return again
}

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
