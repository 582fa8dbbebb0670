import type { LogEntry } from '@gatehouse/contract'

/** One line of an entry: what it says first, and what is folded behind it. */
interface EntryWords {
  line: string
  /** The JSON that follows the message, as it is written in the log; blank where there is none. */
  json: string
}

/** More than fits on a screen; the rest is shown when the entry is opened. */
const lineMaxLength = 400
/** A text with several openings of a JSON object is no message with its fields. */
const openingsMax = 3

/**
 * Sums up an entry in one line: `GET · /path · 200 · 12 ms` for a request, else its message. Both our own
 * logs and Monolog's write the fields as JSON behind the message.
 */
export function entryWords({ text }: Pick<LogEntry, 'text'>): EntryWords {
  const found = splitJson(text)
  const line = found ? lineOf(found.message, found.fields, found.json) : text
  return { line: oneLine(line), json: found?.json ?? '' }
}

type Fields = Record<string, unknown>

function splitJson(text: string): { message: string; json: string; fields: Fields } | undefined {
  if (!text.trimEnd().endsWith('}')) return undefined
  let at = text.indexOf('{"')
  for (let opening = 0; at >= 0 && opening < openingsMax; opening++) {
    const json = text.slice(at)
    const fields = parseFields(json)
    if (fields) return { message: text.slice(0, at).trim(), json, fields }
    at = text.indexOf('{"', at + 1)
  }
  return undefined
}

function parseFields(json: string): Fields | undefined {
  try {
    return JSON.parse(json) as Fields
  } catch {
    return undefined
  }
}

function lineOf(message: string, fields: Fields, json: string): string {
  const { method, path, status, duration_ms } = fields
  if (typeof status !== 'number' || (method === undefined && path === undefined))
    return message === '' ? json : message
  const parts = [method, path, status, typeof duration_ms === 'number' ? `${duration_ms} ms` : '']
  // The message of a line of an access log says no more than that it is one.
  const said = message === 'request' ? [] : [message]
  return [...said, ...parts.map(textOf)].filter(Boolean).join(' · ')
}

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? spelledOut(String(value)) : ''

/** JSON hides in escapes what the server spells out: controls, and what turns the direction of writing. */
const spelledOut = (text: string) =>
  text.replaceAll(
    /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function oneLine(text: string): string {
  const cut = text.length > lineMaxLength ? `${text.slice(0, lineMaxLength)}…` : text
  return cut.replaceAll(/\s+/g, ' ').trim()
}

interface EntryTime {
  /** `2026-11-21`; blank where the date is written in another way. */
  day: string
  /** `10:00:00.123`, or the whole date. */
  time: string
  /** `Z`, `+03:00` or blank. */
  zone: string
}

const isoDate = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,3})\d*)?\s*(Z|[+-]\d\d:?\d\d)?$/

/** Takes the date of an entry apart, so that its day is shown once for many. */
export function entryTime({ date }: Pick<LogEntry, 'date'>): EntryTime {
  const [, day = '', clock = '', fraction = '', zone = ''] = isoDate.exec(date) ?? []
  if (day === '') return { day: '', time: date, zone: '' }
  return { day, time: fraction === '' ? clock : `${clock}.${fraction.padEnd(3, '0')}`, zone }
}
