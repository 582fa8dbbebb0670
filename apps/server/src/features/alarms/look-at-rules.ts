import { setTimeout as wait } from 'node:timers/promises'
import type { AlarmKind } from '@gatehouse/contract'
import type { Logger } from 'pino'
import { momentWords } from './moment-words.ts'
import type { Looks } from './alarm-looks.ts'
import type { Outcome } from './decide-alarms.ts'
import { limitOf, type Asked, type Finding, type OpenAlarm } from './finding.ts'
import { isNarrowed, type Rule } from './rule-settings.ts'

/** A rule that takes longer counts as one that can't be checked. */
const lookMaxMs = 20_000

interface Looking {
  looks: Looks
  log: Logger
  now: Date
  rules: readonly Rule[]
  open: readonly OpenAlarm[]
  lastRoundAt: Date | null
  /** Called after each rule; false: another server has taken over. */
  goesOn: () => Promise<boolean>
}

/**
 * Looks at each rule that is on. A rule that fails hides no other: it is itself an alarm. Undefined where
 * another server has taken over.
 */
export async function lookAtRules(looking: Looking): Promise<Outcome[] | undefined> {
  const { looks, log, rules, open, now, goesOn } = looking
  const on = rules.filter(({ is_on }) => is_on === 1)
  const outcomes: Outcome[] = []
  const failures: { rule: Rule; message: string }[] = []
  for (const rule of on) {
    if (rule.kind === 'check') continue
    try {
      const look = looks[rule.kind]
      if (!look) throw new Error(`This server does not know rules of the kind ${rule.kind}.`)
      outcomes.push({ rule, findings: await inTime(look(askedOf(rule, looking))) })
    } catch (error) {
      failures.push({ rule, message: (error as Error).message })
      outcomes.push({ rule, findings: undefined })
      if (!open.some(({ subject }) => subject === `rule:${rule.id}`))
        log.error({ err: error, rule: rule.name }, 'a rule of alarms can’t be checked')
    }
    if (!(await goesOn())) return undefined
  }
  for (const rule of on)
    if (rule.kind === 'check')
      outcomes.push({ rule, findings: gaps(rule, failures, { ...looking, now }) })
  return outcomes
}

async function inTime(looking: Promise<Finding[]>): Promise<Finding[]> {
  const waiting = new AbortController()
  const late = wait(lookMaxMs, undefined, { signal: waiting.signal, ref: false }).then(() => {
    throw new Error(`It took longer than ${lookMaxMs / 1000} s.`)
  })
  // Cut short where the rule was quicker.
  late.catch(() => {})
  try {
    return await Promise.race([looking, late])
  } finally {
    waiting.abort()
  }
}

/** A rule for everything leaves to narrower rules of its kind what they are about, so that nothing alarms twice. */
function askedOf(rule: Rule, { now, rules, open }: Looking): Asked {
  const isWide = !isNarrowed(rule.where)
  const narrower = (each: Rule) =>
    isWide && each.is_on === 1 && isOfKind(each, rule.kind) && isNarrowed(each.where)
  return {
    now,
    rule,
    reach: {
      only: isWide ? undefined : rule.where,
      except: rules.filter(narrower).map(({ where }) => where),
    },
    open: open.filter(({ rule_id }) => rule_id === rule.id),
  }
}

const isOfKind = (rule: Rule, kind: AlarmKind) => rule.kind === kind

/** Rules that fail, and times in which no server looked. The latter stay until a person has acknowledged them. */
function gaps(
  rule: Rule,
  failures: readonly { rule: Rule; message: string }[],
  { now, open, lastRoundAt }: Looking,
): Finding[] {
  const own = open.filter(({ rule_id }) => rule_id === rule.id)
  const path = '/dashboard/admin/alarm-rules'
  const failing = failures.map(({ rule: failed, message }) => {
    const subject = `rule:${failed.id}`
    const since = own.find((alarm) => alarm.subject === subject)?.since ?? now.toISOString()
    return { subject, title: `The rule ${failed.name} can’t be checked: ${message}`, path, since }
  })
  const kept = own
    .filter((alarm) => alarm.subject.startsWith('late:') && alarm.acknowledged_at === null)
    .map(({ subject, title, since }) => ({ subject, title, since, path }))
  const lateMs = limitOf(rule, 'minutes') * 60_000
  if (!lastRoundAt || now.getTime() - lastRoundAt.getTime() <= lateMs) return [...failing, ...kept]
  const from = lastRoundAt.toISOString()
  const title = `Alarms were not checked from ${momentWords(from)} to ${momentWords(now.toISOString())}`
  return [...failing, ...kept, { subject: `late:${from}`, title, path, since: from }]
}
