/** What a line of the rules does (docs/transformation.md); `as-typed` is a line that is none of these. */
export type RuleAction =
  | 'set-header'
  | 'remove-header'
  | 'rename-header'
  | 'set-query'
  | 'remove-query'
  | 'path'
  | 'note'
  | 'as-typed'

/** A line of the rules with its parts. Which parts count depends on the action. */
export interface RuleRow {
  action: RuleAction
  /** The header or the parameter; blank where the action names none. */
  name: string
  /** What is set, the new name, the path, the note, or the whole line as typed. */
  value: string
  /** Counted from 1, as messages count. */
  line: number
}

const forms = /^(?:(set|rename) (header|query) ([^:]*?): ?(.*)|remove (header|query) ?(.*))$/

/** The rows that a text of rules consists of. Blank lines say nothing, and are none. Never throws. */
export function rowsOfRules(text: string): RuleRow[] {
  return text.split(/\r?\n/).flatMap((typed, at) => {
    const line = typed.trimStart()
    return line.trim() === '' ? [] : [{ ...readLine(line), line: at + 1 }]
  })
}

function readLine(line: string): Omit<RuleRow, 'line'> {
  if (line.startsWith('#')) return { action: 'note', name: '', value: line.slice(1).trimStart() }
  const path = /^path(?: (.*))?$/.exec(line)
  if (path) return { action: 'path', name: '', value: path[1] ?? '' }
  const [, verb, thing, name = '', value = '', removed, removedName = ''] = forms.exec(line) ?? []
  const action = removed === undefined ? `${verb}-${thing}` : `remove-${removed}`
  if (!isAction(action)) return { action: 'as-typed', name: '', value: line }
  return removed === undefined
    ? { action, name, value }
    : { action, name: removedName.trim(), value: '' }
}

const named = ['set-header', 'remove-header', 'rename-header', 'set-query', 'remove-query'] as const

const isAction = (action: string): action is (typeof named)[number] =>
  (named as readonly string[]).includes(action)

/** The text that these rows stand for, a line each. */
export function rulesOfRows(rows: readonly RuleRow[]): string {
  return rows.map(lineOf).join('\n')
}

function lineOf({ action, name, value }: RuleRow): string {
  if (action === 'note') return `# ${value}`
  if (action === 'path') return `path ${value}`
  if (action === 'as-typed') return value
  // A colon ends the name.
  const head = `${action.replace('-', ' ')} ${name.replaceAll(':', '')}`
  return hasValue(action) ? `${head}: ${value}` : head
}

export const hasName = (action: RuleAction) => isAction(action)

export const hasValue = (action: RuleAction) => !action.startsWith('remove-')
