import type { ExactJson } from './exact/exact-json.ts'
import { isExactObject, isLosslessNumber } from './exact/exact-json.ts'

/** Cuts a text for a message to about 80 characters, never through a surrogate pair. */
export function shorten(text: string, maxLength = 80): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** A value as an administrator would say it: scalars as JSON, larger things by kind and size. */
export function showValue(value: ExactJson): string {
  if (Array.isArray(value)) return `a list of ${counted(value.length, 'element')}`
  if (isExactObject(value)) return `an object with ${counted(Object.keys(value).length, 'key')}`
  if (isLosslessNumber(value)) return shorten(value.value)
  return shorten(JSON.stringify(typeof value === 'string' ? value.slice(0, 200) : value))
}

export function kindOf(value: ExactJson): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (isLosslessNumber(value)) return 'a number'
  if (typeof value === 'string') return 'text'
  return typeof value === 'boolean' ? 'a boolean' : 'an object'
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
