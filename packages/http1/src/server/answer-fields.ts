import { STATUS_CODES } from 'node:http'

const badName = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/
const badValue = /[^\t\x20-\x7e\x80-\xff]/

/** A field of a head, with its line end. Throws TypeError for what can't be in a head. */
export function fieldLine(name: string, value: string): string {
  if (name === '' || badName.test(name) || badValue.test(value))
    throw new TypeError(`The header field ${JSON.stringify(name)} can't be sent.`)
  return `${name}: ${value}\r\n`
}

const statusLines = new Map<number, string>()

/** Throws RangeError for what is no status of a final answer. */
export function statusLine(status: number): string {
  const known = statusLines.get(status)
  if (known !== undefined) return known
  if (!Number.isInteger(status) || status < 200 || status > 999)
    throw new RangeError(`${status} is no status of an answer.`)
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
  statusLines.set(status, line)
  return line
}

let dateSecond = 0
let dateField = ''

/** The field Date. */
export function currentDate(): string {
  const second = Math.floor(Date.now() / 1_000)
  if (second !== dateSecond) {
    dateSecond = second
    dateField = `Date: ${new Date(second * 1_000).toUTCString()}\r\n`
  }
  return dateField
}
