// What alarms can be about, as plain data for server and dashboard (docs/alarms.md).

/** What a rule is measured by, with its unit. */
export const alarmLimits = {
  minutes: { label: 'minutes', min: 0, max: 43_200 },
  hours: { label: 'hours', min: 1, max: 1000 },
  days: { label: 'days', min: 1, max: 365 },
  runs: { label: 'runs', min: 1, max: 1_000_000 },
  percent: { label: 'percent', min: 1, max: 100 },
  requests: { label: 'least requests', min: 1, max: 1_000_000 },
  times: { label: 'times', min: 1, max: 20 },
} as const
export type AlarmLimit = keyof typeof alarmLimits

/** What a rule can be narrowed to. */
const alarmScopes = ['workflow', 'lane', 'api'] as const
type AlarmScope = (typeof alarmScopes)[number]

/** What a kind of alarm is. */
export interface AlarmKindFacts {
  title: string
  /** Several of them: `37 documents with an unknown outcome`. */
  several: string
  /** What it means, and what to do. */
  means: string
  next: string
  /** Its limits with their defaults. Null: as the window of the authority says (`authority-windows.ts`). */
  limits: Partial<Record<AlarmLimit, number | null>>
  scopes: readonly AlarmScope[]
  /** What the limits say: `{minutes}` is replaced. */
  when: string
  /** False: the rule that every installation begins with is off. */
  isOn: boolean
}
