import type { LogEntry } from '@gatehouse/contract'
import { cleanText, toCleanText } from './clean-text.ts'
import { readField } from './json-line.ts'

export type EntryTexts = Pick<LogEntry, 'context' | 'date' | 'text' | 'stack' | 'request_id'>

type Fields = Record<string, unknown>

const causesMax = 4

/**
 * What a JSON line says. The message comes first and the fields that have no column of their own
 * follow it as JSON, as Monolog writes them; an error's stack is the entry's stack. A line that is cut
 * off or broken shows as it is.
 */
export function readJsonEntry(bytes: Uint8Array, isCutOff: boolean): EntryTexts {
  const fields = isCutOff ? undefined : parseFields(bytes)
  if (!fields) return readBrokenLine(bytes)
  const { context, name, time, timestamp, msg, message, err, stack, ...more } = fields
  const { level: _, request_id, reqId, ...rest } = more
  const trace = traceOf(err) || textOf(stack)
  const unshown = {
    ...rest,
    ...(context === undefined ? {} : name === undefined ? {} : { name }),
    ...(err === undefined || traceOf(err) !== '' ? {} : { err }),
  }
  const said = textOf(msg) || textOf(message)
  const details = Object.keys(unshown).length > 0 ? spacedJson(unshown) : ''
  return {
    context: cleanText(textOf(context) || textOf(name)),
    date: cleanText(dateOf(time ?? timestamp)),
    text: cleanText([said, details].filter(Boolean).join(' ')),
    stack: cleanText(trace),
    request_id: cleanText(textOf(request_id ?? reqId)),
  }
}

/** With blanks between the fields, where lines can be broken. */
function spacedJson(fields: Fields): string {
  const pairs = Object.entries(fields).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  return `{${pairs.join(', ')}}`
}

function parseFields(bytes: Uint8Array): Fields | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined
  } catch {
    return undefined
  }
}

function readBrokenLine(bytes: Uint8Array): EntryTexts {
  const field = (key: string) => cleanText(readField(bytes, 0, bytes.length, key))
  const time = field('time') || field('timestamp')
  const isNumber = /^\d{10,13}$/.test(time)
  return {
    context: field('context') || field('name'),
    date: isNumber ? dateOf(Number(time)) : time,
    text: toCleanText(bytes),
    stack: '',
    request_id: field('request_id'),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function dateOf(value: unknown): string {
  if (typeof value !== 'number') return textOf(value)
  const moment = new Date(value)
  return Number.isNaN(moment.getTime()) ? String(value) : moment.toISOString()
}

/** The stack of an error as our log and pino's own serializer write it, with its causes. */
function traceOf(error: unknown): string {
  const lines: string[] = []
  let current: unknown = error
  for (let depth = 0; depth < causesMax; depth++) {
    if (typeof current !== 'object' || current === null) break
    const { stack, message, code, cause } = current as Fields
    const trace = textOf(stack) || (depth > 0 ? textOf(message) : '')
    if (trace === '') break
    const named = textOf(code) === '' ? '' : ` (${textOf(code)})`
    lines.push(`${depth > 0 ? 'Caused by: ' : ''}${trace}${named}`)
    current = cause
  }
  return lines.join('\n')
}
