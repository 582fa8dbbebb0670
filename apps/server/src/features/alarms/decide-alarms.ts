import type { NewRow } from '../../db/tables.ts'
import type { Finding, OpenAlarm } from './finding.ts'
import type { Rule } from './rule-settings.ts'

/** What a rule found; undefined: it could not be looked at, so that its alarms stay as they are. */
export type Outcome = { rule: Rule; findings: readonly Finding[] | undefined }

export interface Decided {
  raise: NewRow<'alarm'>[]
  /** Their condition is over. */
  end: OpenAlarm[]
  /** Their rule is off or gone. Nobody is told. */
  drop: OpenAlarm[]
  /** They have become more severe: they count as new again. */
  worsen: { alarm: OpenAlarm; finding: Finding }[]
}

/** Compares what rules found with the alarms that are open. */
export function decideAlarms(
  outcomes: readonly Outcome[],
  open: readonly OpenAlarm[],
  now: Date,
): Decided {
  const decided: Decided = { raise: [], end: [], drop: [], worsen: [] }
  const ofRule = Map.groupBy(open, ({ rule_id }) => rule_id)
  for (const { rule, findings } of outcomes) {
    const known = ofRule.get(rule.id) ?? []
    ofRule.delete(rule.id)
    if (findings === undefined) continue
    const found = new Map(findings.map((finding) => [finding.subject, finding]))
    for (const alarm of known) {
      const finding = found.get(alarm.subject)
      if (!finding) decided.end.push(alarm)
      else if ((finding.level ?? '') !== alarm.level) decided.worsen.push({ alarm, finding })
      found.delete(alarm.subject)
    }
    for (const finding of found.values()) decided.raise.push(newAlarm(rule, finding, now))
  }
  decided.drop.push(...[...ofRule.values()].flat())
  return decided
}

const newAlarm = (rule: Rule, finding: Finding, now: Date): NewRow<'alarm'> => ({
  rule_id: rule.id,
  rule_name: rule.name,
  kind: rule.kind,
  subject: finding.subject,
  level: finding.level ?? '',
  title: shortened(finding.title),
  path: finding.path,
  since: finding.since,
  raised_at: now.toISOString(),
})

/** One line: names and messages come from others. */
export const shortened = (title: string) => {
  const line = title.replace(/\s+/g, ' ').trim()
  return line.length <= 300 ? line : `${line.slice(0, 299)}…`
}
