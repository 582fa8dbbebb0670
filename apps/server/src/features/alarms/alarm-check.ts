import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { Looks } from './alarm-looks.ts'
import { tellAlarms } from './channels/tell-alarms.ts'
import { decideAlarms, shortened, type Decided, type Outcome } from './decide-alarms.ts'
import type { Finding, OpenAlarm } from './finding.ts'
import { lookAtRules } from './look-at-rules.ts'
import { readRule, type Rule } from './rule-settings.ts'

export interface AlarmCheckOptions {
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  /** The log of the runs. */
  runLog: Logger
  looks: Looks
  /** Where users reach the dashboard; undefined: links are paths. */
  baseUrl: string | undefined
  /** Called when channels may have something to be sent. */
  wake: () => void
}

interface Applying {
  outcomes: readonly Outcome[]
  /** The alarms that were open when the rules were looked at. */
  seen: readonly OpenAlarm[]
  rules: readonly Rule[]
  now: Date
}

/** Looks at every rule, and raises and ends alarms by what it finds. */
export class AlarmCheck {
  readonly #options: AlarmCheckOptions

  constructor(options: AlarmCheckOptions) {
    this.#options = options
  }

  /** One check. What it finds is raised in one transaction, or none of it. */
  async look(lastRoundAt: Date | null, goesOn: () => Promise<boolean>): Promise<void> {
    const { inTransaction, clock, looks, log } = this.#options
    const now = clock.now()
    const at = now.toISOString()
    const { rules, open } = await inTransaction(async ({ alarmRules, alarms }) => {
      await alarmRules.begin(at)
      await alarmRules.removeMutesBefore(at)
      return { rules: (await alarmRules.listAll()).map(readRule), open: await alarms.listOpen() }
    })
    const outcomes = await lookAtRules({ looks, log, now, rules, open, lastRoundAt, goesOn })
    if (!outcomes) return
    const raised = await this.#apply({ outcomes, seen: open, rules, now })
    this.#options.wake()
    this.#report(raised, outcomes)
  }

  #apply({ outcomes, seen, rules, now }: Applying) {
    const { inTransaction, baseUrl } = this.#options
    const seenIds = new Set(seen.map(({ id }) => id))
    return inTransaction(async (stores) => {
      const { alarms } = stores
      await alarms.lockCheck()
      // An alarm that another server has raised since was not among those that were asked about.
      const open = (await alarms.listOpen()).filter(({ id }) => seenIds.has(id))
      const decided = decideAlarms(outcomes, open, now)
      const ended = await end(alarms, decided.end, now)
      await end(alarms, decided.drop, now)
      await worsen(alarms, decided)
      const raised = await alarms.raise(decided.raise)
      const still = await alarms.listOpen()
      await tellAlarms(stores, { now, rules, open: still, ended, baseUrl })
      return raised
    })
  }

  /** The log has each alarm once, beside the channels. */
  #report(raised: readonly OpenAlarm[], outcomes: readonly Outcome[]): void {
    const { log, runLog } = this.#options
    for (const { id, rule_id, kind, subject, title } of raised) {
      const outcome = outcomes.find(({ rule }) => rule.id === rule_id)
      const finding = outcome?.findings?.find((each: Finding) => each.subject === subject)
      const fields = { alarm: id, what: kind, title }
      if (finding?.log) runLog.error({ ...finding.log.fields, ...fields }, finding.log.message)
      else log.error({ ...fields, subject }, 'an alarm was raised')
    }
  }
}

async function end(alarms: Stores['alarms'], over: readonly OpenAlarm[], now: Date) {
  if (over.length === 0) return []
  const ids = over.map(({ id }) => id)
  return alarms.change(ids, { ended_at: now.toISOString() })
}

/** They count as new again: what was acknowledged was less severe. */
async function worsen(alarms: Stores['alarms'], decided: Decided): Promise<void> {
  for (const { alarm, finding } of decided.worsen)
    await alarms.change([alarm.id], {
      level: finding.level ?? '',
      title: shortened(finding.title),
      told_at: null,
      escalated_at: null,
      acknowledged_at: null,
      acknowledged_by: null,
      note: '',
    })
}
