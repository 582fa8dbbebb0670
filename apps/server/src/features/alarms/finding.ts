import type { AlarmLimit } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import type { Rule, Where } from './rule-settings.ts'

export type OpenAlarm = Row<'alarm'>

/** Something that fits a rule now. */
export interface Finding {
  /** What it is about, the same at every check: `run:12`. */
  subject: string
  /** How severe, where that grows. An alarm whose level changes is told again. */
  level?: string
  title: string
  path: string
  /** When the condition began. */
  since: string
  /** What the log says, beside the title, in fields. */
  log?: { message: string; fields: object }
}

/** What a rule is about: everything, or what it is narrowed to, without what a narrower rule looks at. */
export interface Reach {
  only: Where | undefined
  except: readonly Where[]
}

export interface Asked {
  now: Date
  rule: Rule
  reach: Reach
  /** The alarms of this rule that are open. They stay while their condition does, whatever the clock says. */
  open: readonly OpenAlarm[]
}

/** A rule raises no more alarms than this at a time. */
export const findingsMax = 1000

export const ago = (now: Date, minutes: number) =>
  new Date(now.getTime() - minutes * 60_000).toISOString()

/** A limit that the kind has a number for by default. */
export function limitOf({ kind, limits }: Rule, name: AlarmLimit): number {
  const value = limits[name]
  if (typeof value !== 'number') throw new Error(`A rule of the kind ${kind} has no ${name}.`)
  return value
}

/** The ids in subjects like `run:12`. */
export function idsIn(open: readonly OpenAlarm[], noun: string): number[] {
  return open.flatMap(({ subject }) => {
    const [name, id] = subject.split(':')
    return name === noun && id !== undefined ? [Number(id)] : []
  })
}
