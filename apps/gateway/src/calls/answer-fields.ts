import type { AnswerHead } from '@gatehouse/http1'
import { isAnswerFieldPassed } from '../http/field-names.ts'
import { setsOwnCookie } from '../http/own-cookie.ts'
import type { AnswerHeaders } from '../exchange/upstream-call.ts'

/**
 * The fields of an upstream's answer that are passed on: not those of its connection, nor those it
 * nominates in Connection (RFC 9110 §7.6.1), nor a length where there is no body.
 */
export function answerFields(headers: AnswerHeaders, status: number): string[] {
  const fields: string[] = []
  const { connection } = headers
  const nominated = connection === undefined ? null : nominatedBy(connection)
  for (const name in headers) {
    if (!isAnswerFieldPassed(name) || nominated?.has(name)) continue
    // RFC 9110 §8.6: no length with 204.
    if (status === 204 && name === 'content-length') continue
    const value = headers[name]
    if (value === undefined) continue
    for (const each of typeof value === 'string' ? [value] : value) {
      if (name !== 'set-cookie' || !setsOwnCookie(each)) fields.push(name, each)
    }
  }
  return fields
}

/** The same of a head whose fields were sorted as they were read. May return a list of the head itself. */
export function passedFields({ status, connection, passed }: AnswerHead): readonly string[] {
  const nominated = connection === null ? null : nominatedBy(connection)
  // RFC 9110 §8.6: no length with 1xx and 204.
  const isBodiless = status === 204 || status === 101
  if (nominated === null && !isBodiless) return passed
  const fields: string[] = []
  for (let at = 0; at + 1 < passed.length; at += 2) {
    const name = (passed[at] ?? '').toLowerCase()
    if (nominated?.has(name) || (isBodiless && name === 'content-length')) continue
    fields.push(passed[at] ?? '', passed[at + 1] ?? '')
  }
  return fields
}

function nominatedBy(connection: string | string[]): ReadonlySet<string> | null {
  if (connection === 'keep-alive' || connection === 'close') return null
  const names = new Set(
    String(connection)
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
  // Whatever it says, what the body is must stay with the body.
  for (const name of names) if (name.startsWith('content-')) names.delete(name)
  return names
}
