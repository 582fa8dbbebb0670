import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { holdNowAndThen } from '../../kernel/leases/lease-time.ts'
import { Rounds } from '../../kernel/rounds.ts'
import type { InTransaction } from '../../stores.ts'
import { AlarmCheck, type AlarmCheckOptions } from './alarm-check.ts'
import { alarmRoutes } from './alarm-routes.ts'
import { alarmRuleRoutes } from './alarm-rule-routes.ts'
import { AlarmRuleService } from './alarm-rule-service.ts'
import { AlarmService } from './alarm-service.ts'
import { alarmChannelRoutes } from './channels/alarm-channel-routes.ts'
import { AlarmChannelService, type SendTest } from './channels/alarm-channel-service.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'

const everyMs = 30_000
/** A server that keeps dying may not live as long as that. */
const firstAfterMs = 2_000
/** Long before the lease of the duty ends. */
const holdEveryMs = 15_000

/** Work that one server does at a time. */
interface Duty {
  round(work: (lastRoundAt: Date | null) => Promise<void>): Promise<void>
  hold(): Promise<boolean>
}

interface AlarmsOptions extends AlarmCheckOptions {
  inTransaction: InTransaction
  clock: Clock
  duty: Duty
  secrets: SecretBox
  sendTest: SendTest
}

export const alarmsDuty = 'alarms'

/** Wires the alarms: the check that raises them, and what people do about them. */
export function createAlarms(options: AlarmsOptions) {
  const { duty, clock, log, inTransaction } = options
  const check = new AlarmCheck(options)
  const service = new AlarmService({ inTransaction, clock })
  const rules = new AlarmRuleService(inTransaction, clock)
  const channels = new AlarmChannelService(options)
  const keeper = new Rounds({
    everyMs,
    firstAfterMs,
    work: () =>
      duty.round((lastRoundAt) => {
        const hold = () => duty.hold()
        return check.look(lastRoundAt, holdNowAndThen({ hold, clock }, holdEveryMs))
      }),
    log,
    failure: 'alarms can’t be checked',
  })
  return {
    keeper,
    service,
    mountOn: (app: FastifyInstance) => {
      alarmRoutes(app, service)
      alarmRuleRoutes(app, rules)
      alarmChannelRoutes(app, channels)
    },
  }
}
