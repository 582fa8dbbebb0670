import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import type { Looks } from './alarm-looks.ts'
import { decideAlarms, shortened, type Decided, type Outcome } from './decide-alarms.ts'
import type { Finding, OpenAlarm } from './finding.ts'
import { lookAtRules } from './look-at-rules.ts'
import { readRule } from './rule-settings.ts'

export interface AlarmCheckOptions {
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  /** The log of the runs. */
  runLog: Logger
  looks: Looks
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
    const raised = await this.#apply(outcomes, open, now)
    this.#report(raised, outcomes)
  }

  #apply(outcomes: readonly Outcome[], seen: readonly OpenAlarm[], now: Date) {
    const { inTransaction } = this.#options
    const seenIds = new Set(seen.map(({ id }) => id))
    return inTransaction(async ({ alarms }) => {
      await alarms.lockCheck()
      // An alarm that another server has raised since was not among those that were asked about.
      const open = (await alarms.listOpen()).filter(({ id }) => seenIds.has(id))
      const { raise, end, drop, worsen }: Decided = decideAlarms(outcomes, open, now)
      const ended = [...end, ...drop].map(({ id }) => id)
      if (ended.length > 0) await alarms.change(ended, { ended_at: now.toISOString() })
      for (const { alarm, finding } of worsen)
        await alarms.change([alarm.id], {
          level: finding.level ?? '',
          title: shortened(finding.title),
          told_at: null,
          escalated_at: null,
          acknowledged_at: null,
          acknowledged_by: null,
          note: '',
        })
      return alarms.raise(raise)
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
