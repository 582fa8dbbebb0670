import type { AlarmBell, AlarmRecord } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { toAlarmRecord } from './alarm-record.ts'
import type { AlarmFilter } from './alarm-store.ts'

const yearMs = 366 * 86_400_000

interface AlarmServiceOptions {
  inTransaction: InTransaction
  clock: Clock
}

/** What people see of alarms, and do about them. */
export class AlarmService {
  readonly #options: AlarmServiceOptions

  constructor(options: AlarmServiceOptions) {
    this.#options = options
  }

  async list(filter: AlarmFilter) {
    const { inTransaction } = this.#options
    return inTransaction(async (stores) => {
      const listing = await stores.alarms.list(filter)
      return { ...listing, rows: await this.#present(stores, listing.rows) }
    })
  }

  async bell(): Promise<AlarmBell> {
    const { inTransaction, clock } = this.#options
    return inTransaction(async (stores) => {
      const { count, rows } = await stores.alarms.bell(clock.now().toISOString())
      const checked = await stores.duties.find('alarms')
      const alarms = await this.#present(stores, rows)
      return { count, alarms, checked_at: checked?.round_at ?? null }
    })
  }

  /** For the metrics: open alarms by kind, and when the last check ended. */
  async measure() {
    const { inTransaction, clock } = this.#options
    return inTransaction(async ({ alarms, duties }) => {
      const at = (await duties.find('alarms'))?.round_at ?? null
      const ageMs = at === null ? 0 : clock.now().getTime() - Date.parse(at)
      return { open: await alarms.countOpen(), checkAgeSeconds: Math.max(0, ageMs) / 1000 }
    })
  }

  /** Returns how many of them were open. Those that another user has acknowledged keep that user's name. */
  acknowledge(ids: readonly number[], note: string, actor: Actor): Promise<number> {
    const { inTransaction, clock } = this.#options
    const acknowledged_at = clock.now().toISOString()
    return inTransaction(async ({ alarms, audit }) => {
      const acknowledged_by = actor.caller.user.name
      const done = await alarms.acknowledge(ids, { acknowledged_at, acknowledged_by, note })
      for (const { id, title } of done)
        await audit.record(actor, {
          action: 'alarm.acknowledge',
          thing: 'alarm',
          id,
          name: title,
          after: { note },
        })
      return done.length
    }, actor.caller)
  }

  /** Mutes what the alarm is about, or its whole rule. */
  async mute(id: number, { until, what }: { until: string; what: 'alarm' | 'rule' }, actor: Actor) {
    const { inTransaction, clock } = this.#options
    const now = clock.now().getTime()
    const leftMs = Date.parse(until) - now
    if (!(leftMs > 0 && leftMs <= yearMs))
      throw fieldError({ until: ['The end must be in the future, and within a year.'] })
    await inTransaction(async (stores) => {
      const alarm = await found(stores, id)
      const rule = await stores.alarmRules.find(alarm.rule_id)
      if (!rule) throw new AppError('alarm.rule_not_found')
      await stores.alarmRules.mute(rule.id, what === 'rule' ? '' : alarm.subject, until)
      await stores.audit.record(actor, {
        action: 'alarm.mute',
        ...(what === 'rule'
          ? { thing: 'alarm-rule', id: rule.id, name: rule.name }
          : { thing: 'alarm', id, name: alarm.title }),
        after: { until },
      })
    }, actor.caller)
    return { muted_until: until }
  }

  async unmute(id: number, actor: Actor): Promise<void> {
    await this.#options.inTransaction(async (stores) => {
      const alarm = await found(stores, id)
      await stores.alarmRules.unmute(alarm.rule_id, ['', alarm.subject])
      await stores.audit.record(actor, {
        action: 'alarm.unmute',
        thing: 'alarm',
        id,
        name: alarm.title,
      })
    }, actor.caller)
  }

  async #present(stores: Stores, rows: readonly Row<'alarm'>[]): Promise<AlarmRecord[]> {
    const mutes = await stores.alarmRules.listMutes(this.#options.clock.now().toISOString())
    const registers = await stores.alarms.registersOf(rows)
    return rows.map((row) => toAlarmRecord(row, mutes, registers.get(row.id) ?? []))
  }
}

async function found({ alarms }: Stores, id: number): Promise<Row<'alarm'>> {
  const alarm = await alarms.find(id)
  if (!alarm) throw new AppError('alarm.not_found')
  return alarm
}
