import type { AlarmRuleInput, AlarmRuleRecord, AuditVerb } from '@gatehouse/contract'
import type { ListQuery } from '../../db/listing.ts'
import type { Row } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { mutedUntil } from './alarm-record.ts'
import { limitsOf, readRule, type RuleSettings } from './rule-settings.ts'

type StoredRule = Row<'alarm_rule'> & { open: number }

/** The rules by which alarms are raised, as administrators change them. */
export class AlarmRuleService {
  readonly #inTransaction: InTransaction
  readonly #clock: Clock

  constructor(inTransaction: InTransaction, clock: Clock) {
    this.#inTransaction = inTransaction
    this.#clock = clock
  }

  list(query: ListQuery) {
    return this.#inTransaction(async ({ alarmRules }) => {
      const mutes = await alarmRules.listMutes(this.#now())
      const { rows, total } = await alarmRules.list(query)
      return { total, rows: rows.map((row) => toRuleRecord(row, mutes)) }
    })
  }

  choices() {
    return this.#inTransaction(async ({ alarmRules, alarmChannels }) => {
      const channels = (await alarmChannels.listAll()).map(({ id, name, is_on }) => ({
        id,
        name,
        is_on: is_on === 1,
      }))
      return { ...(await alarmRules.listChoices()), channels }
    })
  }

  get(id: number): Promise<AlarmRuleRecord> {
    return this.#inTransaction((stores) => this.#record(stores, id))
  }

  create(input: AlarmRuleInput, actor: Actor): Promise<AlarmRuleRecord> {
    return this.#inTransaction(async (stores) => {
      const { id } = await stores.alarmRules.insert({ ...columnsOf(input), on_since: null })
      const after = await this.#record(stores, id)
      await record(stores, actor, 'create', { after })
      return after
    }, actor.caller)
  }

  /** What was before a rule is switched on is no alarm. */
  update(id: number, input: AlarmRuleInput, actor: Actor): Promise<AlarmRuleRecord> {
    return this.#inTransaction(async (stores) => {
      const before = await this.#record(stores, id)
      const columns = columnsOf(input)
      const isNew = !before.is_on || before.kind !== input.kind
      const change = isNew ? { ...columns, on_since: null } : columns
      const version = input.version ?? before.version
      await stores.alarmRules.update(id, version, change)
      const after = await this.#record(stores, id)
      await record(stores, actor, 'update', { before, after })
      return after
    }, actor.caller)
  }

  async remove(id: number, actor: Actor): Promise<void> {
    await this.#inTransaction(async (stores) => {
      const before = await this.#record(stores, id)
      await stores.alarmRules.remove(id)
      await record(stores, actor, 'delete', { before })
    }, actor.caller)
  }

  async #record({ alarmRules }: Stores, id: number): Promise<AlarmRuleRecord> {
    const row = await alarmRules.find(id)
    if (!row) throw new AppError('alarm.rule_not_found')
    return toRuleRecord(row, await alarmRules.listMutes(this.#now()))
  }

  #now(): string {
    return this.#clock.now().toISOString()
  }
}

function columnsOf({ version: _, name, kind, is_on, limits, ...rest }: AlarmRuleInput) {
  const settings: RuleSettings = { ...rest, limits: limitsOf(kind, limits) }
  const flag = is_on ? (1 as const) : (0 as const)
  return { name, kind, is_on: flag, settings: JSON.stringify(settings) }
}

function toRuleRecord(row: StoredRule, mutes: readonly Row<'alarm_mute'>[]): AlarmRuleRecord {
  const { on_since: _, is_on, limits, ...rule } = { ...readRule(row), open: row.open }
  const ofRule = mutes.filter(({ subject }) => subject === '')
  return {
    ...rule,
    is_on: is_on === 1,
    limits,
    muted_until: mutedUntil({ rule_id: row.id, subject: '' }, ofRule),
  }
}

interface Versions {
  before?: AlarmRuleRecord
  after?: AlarmRuleRecord
}

function record(
  { audit }: Stores,
  actor: Actor,
  verb: AuditVerb<'alarm-rule'>,
  { before, after }: Versions,
) {
  const { id, name } = (after ?? before)!
  const versions = { before: before && audited(before), after: after && audited(after) }
  return audit.record(actor, {
    action: `alarm-rule.${verb}`,
    thing: 'alarm-rule',
    id,
    name,
    ...versions,
  })
}

const audited = ({
  id: _id,
  open: _open,
  version: _version,
  muted_until: _until,
  ...rest
}: AlarmRuleRecord) => rest
