import { isAnswerFieldPassed } from '../http/field-names.ts'
import type { AnswerHeaders } from './upstream-call.ts'

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
    if (typeof value === 'string') fields.push(name, value)
    else if (value !== undefined) for (const each of value) fields.push(name, each)
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
