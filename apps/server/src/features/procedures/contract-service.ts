import {
  errorTable,
  type ContractChange,
  type ProcedureContract,
  type ResultShapes,
} from '@gatehouse/contract'
import type { ProcedureAnswered, ProcedureSignature, ProcedureUpstream } from '@gatehouse/upstream'
import type { Logger } from 'pino'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import { compareContracts, driftKindOf, type Promised } from './compare-contracts.ts'
import { storedConnection } from './connection-of.ts'
import type { ContractRow, ProcedureStore } from './procedure-store.ts'

interface ContractServiceOptions {
  store: ProcedureStore
  inTransaction: InTransaction
  procedures: ProcedureUpstream
  findApi: (id: number) => Promise<Row<'api'> | undefined>
  passwordOf: (api: Row<'api'>) => string
  clock: Clock
  log: Logger
}

type Drift = Promised & { changes: ContractChange[] }

/** How long a save or a check waits for a catalogue. */
const readTimeoutMs = 10_000

/**
 * The contract lock: what a procedure took and returned when its definition was saved, compared
 * with its state at each check and each call. A drift is shown and logged; it never stops a call.
 */
export class ContractService {
  readonly #options: ContractServiceOptions
  /** Readings under way, so that a stop can wait for them. */
  readonly #readings = new Set<Promise<unknown>>()

  constructor(options: ContractServiceOptions) {
    this.#options = options
  }

  async show(apiId: number): Promise<ProcedureContract> {
    const api = await this.#procedureApi(apiId)
    const row = await this.#options.store.find(apiId)
    return present(api, row?.method === api.func_name ? row : undefined)
  }

  /** Call it after a save: another procedure or database needs a new promise. */
  afterSave(api: Row<'api'>): void {
    if (api.api_protocol !== 'stored_procedure') return
    const reading = this.#lockAnew(api).catch((error: unknown) =>
      this.#options.log.error({ err: error, api_id: api.id }, 'contract lock failed'),
    )
    this.#readings.add(reading)
    void reading.finally(() => this.#readings.delete(reading))
  }

  /** Settles when the readings under way have ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#readings)
  }

  /** Reads the catalogue and compares. Locks a contract that was never locked. */
  async check(apiId: number): Promise<ProcedureContract> {
    await this.#check(await this.#procedureApi(apiId))
    return this.show(apiId)
  }

  /** Checks every procedure that was not checked since the given time, one after the other. */
  async checkDue(before: Date): Promise<void> {
    for (const api of await this.#options.store.listDue(before.toISOString()))
      await this.#check(api)
  }

  /** Compares the signature and shapes of a call's answer with the promise. */
  async observe(
    apiId: number,
    answered: Pick<ProcedureAnswered, 'signature' | 'columns'>,
  ): Promise<void> {
    const api = await this.#options.findApi(apiId)
    if (api) await this.#compare(api, answered.signature, answered.columns)
  }

  /** Makes the present state the promise. */
  async accept(apiId: number, actor: Actor): Promise<ProcedureContract> {
    const api = await this.#procedureApi(apiId)
    await this.#options.inTransaction(async ({ procedures, audit }) => {
      const row = await procedures.find(apiId)
      const drift = row?.drift && row.method === api.func_name ? readDrift(row.drift) : undefined
      if (!drift) throw new AppError('procedure.no_drift')
      await procedures.update(apiId, row?.method ?? '', {
        signature: JSON.stringify(drift.signature),
        shapes: drift.shapes && JSON.stringify(drift.shapes),
        locked_at: this.#now(),
        ...noDrift,
      })
      const changes = drift.changes.map(({ text }) => text)
      await audit.record(actor, {
        action: 'api.accept_drift',
        thing: 'api',
        id: apiId,
        name: api.name,
        after: { changes },
      })
    }, actor.caller)
    return this.show(apiId)
  }

  async #lockAnew(api: Row<'api'>): Promise<void> {
    const { store } = this.#options
    const known = await store.find(api.id)
    if (known?.method !== api.func_name) {
      await store.replace({
        api_id: api.id,
        method: api.func_name ?? '',
        signature: null,
        shapes: null,
        locked_at: null,
        checked_at: null,
        check_failure: null,
        ...noDrift,
      })
    }
    await this.#check(api)
  }

  async #check(api: Row<'api'>): Promise<void> {
    const { procedures, passwordOf, store } = this.#options
    const method = api.func_name ?? ''
    const connection = storedConnection(api, passwordOf(api))
    const found = await procedures.describe({ id: String(api.id), connection }, method, {
      timeoutMs: readTimeoutMs,
    })
    if (!found.ok) {
      this.#options.log.warn(
        { api_id: api.id, code: found.code, detail: found.detail },
        `${api.name}: the procedure could not be checked`,
      )
      const check_failure = found.message || errorTable[found.code].message
      await store.update(api.id, method, { checked_at: this.#now(), check_failure })
      return
    }
    await this.#compare(api, found.signature, null)
    await store.update(api.id, method, { checked_at: this.#now(), check_failure: null })
  }

  async #compare(api: Row<'api'>, signature: ProcedureSignature, shapes: ResultShapes | null) {
    const { store } = this.#options
    const method = api.func_name ?? ''
    const row = await store.find(api.id)
    if (row?.method !== method) return
    if (row.signature === null) {
      const first = {
        signature: JSON.stringify(signature),
        shapes: shapes && JSON.stringify(shapes),
      }
      await store.update(api.id, method, { ...first, locked_at: this.#now() })
      return
    }
    const locked: Promised = {
      signature: JSON.parse(row.signature) as ProcedureSignature,
      shapes: readShapes(row.shapes),
    }
    if (shapes && !locked.shapes) {
      locked.shapes = shapes
      await store.update(api.id, method, { shapes: JSON.stringify(shapes) })
    }
    const known = row.drift === null ? undefined : readDrift(row.drift)
    const now: Promised = { signature, shapes: shapes ?? known?.shapes ?? locked.shapes }
    const changes = compareContracts(locked, now)
    const kind = driftKindOf(changes)
    if (!kind) {
      if (known) await store.update(api.id, method, noDrift)
      return
    }
    const drift = JSON.stringify({ ...now, changes } satisfies Drift)
    if (drift === row.drift) return
    await store.update(api.id, method, { drift, drift_kind: kind, drift_seen_at: this.#now() })
    this.#options.log[kind === 'breaking' ? 'error' : 'warn'](
      { api_id: api.id, changes: changes.map(({ text }) => text) },
      `${api.name}: the procedure ${method} has changed (${kind})`,
    )
  }

  async #procedureApi(apiId: number): Promise<Row<'api'>> {
    const api = await this.#options.findApi(apiId)
    if (api?.api_protocol !== 'stored_procedure') throw new AppError('api.not_found')
    return api
  }

  #now(): string {
    return this.#options.clock.now().toISOString()
  }
}

const noDrift = { drift: null, drift_kind: null, drift_seen_at: null } as const
const readDrift = (text: string) => JSON.parse(text) as Drift
const readShapes = (text: string | null) =>
  text === null ? null : (JSON.parse(text) as ResultShapes)

function present(api: Row<'api'>, row: ContractRow | undefined): ProcedureContract {
  const drift = row?.drift ? readDrift(row.drift) : undefined
  return {
    method: api.func_name ?? '',
    locked:
      row?.signature && row.locked_at
        ? {
            signature: JSON.parse(row.signature) as Promised['signature'],
            shapes: readShapes(row.shapes),
            at: row.locked_at,
          }
        : null,
    drift:
      drift && row?.drift_kind && row.drift_seen_at
        ? { ...drift, kind: row.drift_kind, seen_at: row.drift_seen_at }
        : null,
    checked_at: row?.checked_at ?? null,
    check_failure: row?.check_failure ?? null,
  }
}
