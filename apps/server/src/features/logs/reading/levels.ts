import type { LogEntry } from '@gatehouse/contract'
import { logLevels, type LogLevel } from '@gatehouse/contract/log-levels'

/** Levels as the index keeps them: 0 for none, then PSR-3 in its order. */
export const levelNames: readonly (LogLevel | '')[] = ['', ...logLevels]
export const levelCount = levelNames.length

type LevelStyle = Pick<LogEntry, 'level_class' | 'level_img'>

const info: LevelStyle = { level_class: 'info', level_img: 'info-circle' }
const danger: LevelStyle = { level_class: 'danger', level_img: 'exclamation-triangle' }

const styles: Record<LogLevel | '', LevelStyle> = {
  '': { level_class: '', level_img: '' },
  debug: info,
  info,
  notice: info,
  warning: { level_class: 'warning', level_img: 'exclamation-triangle' },
  error: danger,
  critical: danger,
  alert: danger,
  emergency: danger,
}

/** Class and icon of a level (spec: log-levels). */
export function levelStyle(level: LogLevel | ''): LevelStyle {
  return styles[level]
}

const psrNames = logLevels.map((name) => Buffer.from(name, 'latin1'))
/** First letter and length distinguish the eight names; a match is then compared in full. */
const codeByShape = new Uint8Array(256 * 16)
for (const [index, name] of psrNames.entries()) {
  codeByShape[(name[0] ?? 0) * 16 + name.length] = index + 1
}

/** The level whose PSR-3 name lies between `from` and `to`, in any case; 0 for any other word. */
export function psrLevel(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > 9) return 0
  const code = codeByShape[((bytes[from] ?? 0) | 0x20) * 16 + (to - from)] ?? 0
  const name = psrNames[code - 1]
  if (!name) return 0
  for (let at = 1; at < name.length; at++) {
    if (((bytes[from + at] ?? 0) | 0x20) !== name[at]) return 0
  }
  return code
}

const otherNames: Record<string, LogLevel> = {
  trace: 'debug',
  warn: 'warning',
  err: 'error',
  fatal: 'critical',
}

/** The level that a JSON line names: pino's and PSR-3's names in any case; 0 for any other. */
export function namedLevel(name: string): number {
  const lower = name.toLowerCase()
  return Math.max(0, levelNames.indexOf(otherNames[lower] ?? (lower as LogLevel)))
}

/** The level that a JSON line gives as a number: pino's scale, where 10 is trace and 60 is fatal. */
export function numberedLevel(value: number): number {
  if (!(value >= 0)) return 0
  const names: LogLevel[] = ['debug', 'debug', 'debug', 'info', 'warning', 'error']
  return levelNames.indexOf(names[Math.floor(value / 10)] ?? 'critical')
}
