import type { Db } from '../../src/db/connect.ts'
import { deliveryStore } from '../../src/features/deliveries/delivery-store.ts'
import type { Lease } from '../../src/kernel/leases/lease-time.ts'
import { leasedRows } from '../../src/kernel/leases/leased-rows.ts'
import { Leases } from '../../src/kernel/leases/leases.ts'
import { openWorld } from '../time/machine-clock.ts'
import type { Random } from '../run-model/random.ts'

const leaseMs = 60_000
/** A server measures the shared time every 30 s. */
const measureEveryMs = 25_000
const pieces = 8

const rowsOf = (db: Db) => leasedRows(db, 'delivery', 'waiting')
type Rows = ReturnType<typeof rowsOf>
type World = ReturnType<typeof openWorld>
type Machine = Awaited<ReturnType<World['machine']>>
type Places = AsyncGenerator<undefined, void, void>

interface Server {
  owner: string
  machine: Machine
  leases: Leases
  /** What it does at the same time. */
  places: Places[]
  measuredAtMs: number
  /** Until then its process stands still. */
  frozenUntilMs: number
}

/**
 * Three servers on one database share work by leases. Each place at which one of them awaits something is a `yield`:
 * there the model lets another one go on, and lets time pass, a process stand still, a machine sleep, its clock jump,
 * the database be away, the confirmation of a statement be lost, and a server die and start again. The clock of the
 * database goes on evenly: what happens when it is set has a test of its own (`features/duties/duty.test.ts`).
 */
export class LeaseModel {
  readonly faults: string[] = []
  readonly met = new Map<string, number>()
  readonly #random: Random
  readonly #db: Db
  readonly #world: World
  readonly #rows: Rows
  /** Every claim that the database has carried out, in their order. */
  readonly #claims: { id: number; owner: string }[] = []
  #servers: Server[] = []
  #ids: number[] = []
  #isAway = false
  #isCalm = false
  #passedMs = 0

  constructor(db: Db, random: Random) {
    this.#random = random
    this.#db = db
    this.#world = openWorld(db)
    this.#rows = rowsOf(db)
  }

  async begin(): Promise<void> {
    const { clock } = await this.#world.machine()
    const deliveries = deliveryStore(this.#db, clock)
    const target = { url: 'https://shop.test/' } as never
    const piece = {
      kind: 'test',
      channel: 'webhook',
      subject: 'Work',
      payload: '',
      target,
    } as const
    for (let made = 0; made < pieces; made++) this.#ids.push(await deliveries.insert(piece))
    for (const owner of ['a', 'b', 'c']) this.#servers.push(await this.#start(owner))
  }

  async step(): Promise<void> {
    const server = this.#random.pick(this.#servers)!
    const chance = this.#random.below(1_000)
    if (chance < 60) await this.#pass(this.#random.below(8_000))
    else if (chance < 70) this.#freeze(server, this.#random.below(150_000))
    else if (chance < 75) this.#sleep(server, this.#random.below(150_000))
    else if (chance < 80) this.#jump(server)
    else if (chance < (this.#isAway ? 130 : 95)) this.#setAway(!this.#isAway)
    else if (chance < 130) await this.#goOn(server)
    else if (chance < 135) await this.#restart(server)
    else await this.#goOn(server)
  }

  /** From now on all is well; true once all work is done. */
  async end(): Promise<boolean> {
    this.#isCalm = true
    this.#setAway(false)
    for (let round = 0; round < 4_000; round++) {
      await this.#pass(round % 20 === 0 ? 2_000 : 0)
      for (const server of this.#servers) await this.#goOn(server)
      if (round % 100 === 0 && (await this.#open()).length === 0) return true
    }
    return false
  }

  #met(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1)
  }

  async #start(owner: string): Promise<Server> {
    const machine = await this.#world.machine()
    const leases = new Leases(owner, machine.clock, leaseMs)
    const server: Server = {
      owner,
      machine,
      leases,
      places: [],
      measuredAtMs: this.#passedMs,
      frozenUntilMs: 0,
    }
    server.places = [this.#work(server), this.#work(server), this.#renew(server)]
    return server
  }

  /** Its process ends wherever it is. The next one of that name lets go what it held. */
  async #restart(old: Server): Promise<void> {
    if (this.#isAway) return
    this.#met('restarted')
    await this.#rows.releaseOwn(old.owner)
    const server = await this.#start(old.owner)
    this.#servers = this.#servers.map((each) => (each === old ? server : each))
  }

  #freeze(server: Server, ms: number): void {
    this.#met('frozen')
    server.frozenUntilMs = this.#passedMs + ms
  }

  #sleep(server: Server, ms: number): void {
    this.#met('asleep')
    server.machine.sleep(ms)
    this.#passedMs += ms
  }

  #jump({ machine }: Server): void {
    this.#met('jumped')
    machine.setAhead((this.#random.below(240) - 120) * 60_000)
  }

  #setAway(isAway: boolean): void {
    this.#isAway = isAway
    this.#world.setAway(isAway)
  }

  async #pass(ms: number): Promise<void> {
    this.#world.pass(ms)
    this.#passedMs += ms
    for (const server of this.#servers) {
      const isDue = this.#passedMs - server.measuredAtMs >= measureEveryMs
      if (isDue && server.frozenUntilMs <= this.#passedMs) await this.#measure(server)
    }
  }

  async #measure(server: Server): Promise<void> {
    server.measuredAtMs = this.#passedMs
    await server.machine.clock.measure().catch(() => {})
  }

  async #goOn(server: Server): Promise<void> {
    if (server.frozenUntilMs > this.#passedMs && !this.#isCalm) return
    if (this.#passedMs - server.measuredAtMs >= measureEveryMs && this.#random.isLikely(0.5))
      await this.#measure(server)
    await this.#random.pick(server.places)!.next()
  }

  async #open(): Promise<number[]> {
    const rows = await this.#db
      .selectFrom('delivery')
      .select('id')
      .where('id', 'in', this.#ids)
      .where('state', '=', 'waiting')
      .execute()
    return rows.map(({ id }) => id)
  }

  /** A statement may not arrive, and its confirmation may be lost. */
  async #statement<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isAway) throw new Error('The database is away.')
    const result = await work()
    if (!this.#isCalm && this.#random.isLikely(0.05)) {
      this.#met('unconfirmed')
      throw new Error('The confirmation was lost.')
    }
    return result
  }

  async *#work(server: Server): Places {
    for (;;) {
      yield
      try {
        yield* this.#workOnce(server)
      } catch {
        this.#met('failed')
      }
    }
  }

  async *#workOnce({ owner, leases }: Server): Places {
    const wish = await leases.wish()
    yield
    const open = await this.#statement(() => this.#open())
    const id = this.#random.pick(open)
    if (id === undefined) return
    yield
    const [row] = await this.#statement(async () => {
      const claimed = await this.#rows.claim([id], wish)
      for (const each of claimed) this.#claims.push({ id: each.id, owner })
      return claimed
    })
    const claimedAt = this.#claims.length
    yield
    if (!row) return
    this.#met('claimed')
    const held = leases.take(row)
    try {
      for (let acts = this.#random.below(12); acts > 0; acts--) {
        yield
        const canJudge = await leases.canJudge()
        yield
        if (!canJudge || !leases.maySend(held)) {
          this.#met('too late')
          yield
          await this.#statement(() => this.#rows.finish(id, owner, {}))
          return
        }
        this.#act(id, owner, claimedAt)
      }
      yield
      // Most is let go before it is done.
      const isDone = this.#isCalm || this.#random.isLikely(0.02)
      const change = isDone ? ({ state: 'delivered' } as const) : {}
      if (await this.#statement(() => this.#rows.finish(id, owner, change))) this.#met('finished')
      else this.#met('lost')
    } finally {
      leases.letGo(held)
    }
  }

  /** What only the holder may do. */
  #act(id: number, owner: string, claimedAt: number): void {
    this.#met('acted')
    const others = this.#claims.slice(claimedAt).filter((each) => each.id === id)
    if (others.some((each) => each.owner !== owner))
      this.faults.push(`${owner} did ${id}, which another server had taken`)
  }

  async *#renew({ leases }: Server): Places {
    const rows = {
      renewLeases: (lease: Lease, ids: readonly number[]) =>
        this.#statement(() => this.#rows.renewLeases(lease, ids)),
    }
    for (;;) {
      yield
      await leases.renewInTime(rows).then(
        () => this.#met('renewed'),
        () => this.#met('not renewed'),
      )
    }
  }
}
