import type { AlarmKindFacts } from './alarm-kind-types.ts'
import { alarmsOfRuns } from './alarms-of-runs.ts'
import { alarmsOfService } from './alarms-of-service.ts'

export * from './alarm-kind-types.ts'

export const alarmKindFacts = { ...alarmsOfRuns, ...alarmsOfService }

export type AlarmKind = keyof typeof alarmKindFacts
export const alarmKinds = Object.keys(alarmKindFacts) as [AlarmKind, ...AlarmKind[]]

/** The facts of a kind, with types that fit every kind. */
export const factsOfAlarm = (kind: AlarmKind): AlarmKindFacts => alarmKindFacts[kind]
