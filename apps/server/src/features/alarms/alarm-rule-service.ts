import type { AlarmRuleInput, AlarmRuleRecord } from '@gatehouse/contract'
import type { ListQuery } from '../../db/listing.ts'
import { alarmRuleForm } from '../../db/tables/alarms.ts'
import { writeRow } from '../../db/tables/column.ts'
import type { Row } from '../../db/tables.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { savedThing } from '../../kernel/saved/saved-thing.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import { mutedUntil } from './alarm-record.ts'
import { limitsOf, readRule, type RuleSettings } from './rule-settings.ts'

type StoredRule = Row<'alarm_rule'> & { open: number }

/** The rules by which alarms are raised, as administrators change them. */
export class AlarmRuleService {
  readonly #inTransaction: InTransaction
  readonly #clock: Clock
  readonly #rules: ReturnType<typeof savedRules>

  constructor(inTransaction: InTransaction, clock: Clock) {
    this.#inTransaction = inTransaction
    this.#clock = clock
    this.#rules = savedRules(() => this.#now())
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
    return this.#inTransaction((stores) => this.#rules.existing(stores, id))
  }

  create(input: AlarmRuleInput, actor: Actor): Promise<AlarmRuleRecord> {
    return this.#inTransaction(async (stores) => {
      const { id } = await stores.alarmRules.insert({ ...columnsOf(input), on_since: null })
      return this.#rules.saved(stores, actor, 'create', { id })
    }, actor.caller)
  }

  /** What was before a rule is switched on is no alarm. */
  update(id: number, input: AlarmRuleInput, actor: Actor): Promise<AlarmRuleRecord> {
    return this.#inTransaction(async (stores) => {
      const before = await this.#rules.existing(stores, id)
      const columns = columnsOf(input)
      const isNew = !before.is_on || before.kind !== input.kind
      const change = isNew ? { ...columns, on_since: null } : columns
      const version = input.version ?? before.version
      await stores.alarmRules.update(id, version, change)
      return this.#rules.saved(stores, actor, 'update', { id, before })
    }, actor.caller)
  }

  async remove(id: number, actor: Actor): Promise<void> {
    await this.#inTransaction(async (stores) => {
      const before = await this.#rules.existing(stores, id)
      await stores.alarmRules.remove(id)
      await this.#rules.record(stores, actor, 'delete', { before })
    }, actor.caller)
  }

  #now(): string {
    return this.#clock.now().toISOString()
  }
}

function columnsOf({ version: _, name, kind, is_on, limits, ...rest }: AlarmRuleInput) {
  const settings: RuleSettings = { ...rest, limits: limitsOf(kind, limits) }
  return { ...writeRow(alarmRuleForm, { name, kind, is_on }), settings: JSON.stringify(settings) }
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

const savedRules = (now: () => string) =>
  savedThing({
    thing: 'alarm-rule',
    missing: 'alarm.rule_not_found',
    find: async ({ alarmRules }: Stores, id) => {
      const row = await alarmRules.find(id)
      return row && toRuleRecord(row, await alarmRules.listMutes(now()))
    },
    audited,
  })

const audited = ({
  id: _id,
  open: _open,
  version: _version,
  muted_until: _until,
  ...rest
}: AlarmRuleRecord) => rest
