import type { z } from 'zod'

type Issue = Parameters<z.core.$ZodErrorMap>[0]
type IssueOf<Code> = Extract<Issue, { code: Code }>

/**
 * What an answer says about a value where its schema has no words of its own. The library's words name its types
 * ("expected object, received undefined"), which says nothing about the field.
 */
export function wordsOf(issue: Issue): string {
  if (issue.code === 'unrecognized_keys') return 'There is no such field here.'
  const label = labelOf(issue.path ?? [])
  if (issue.input === undefined) return `The ${label} field is required.`
  switch (issue.code) {
    case 'invalid_type':
      return kindWords(label, issue.expected)
    case 'invalid_value':
      return `The ${label} must be one of: ${issue.values.join(', ')}.`
    case 'too_big':
      return tooBig(label, issue)
    case 'too_small':
      return tooSmall(label, issue)
    case 'invalid_union':
      return `The ${label} has none of the known forms.`
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'custom':
      break
  }
  return `The ${label} is not valid.`
}

/** The field in words; a place in a list is an entry of that list. */
function labelOf(path: readonly PropertyKey[]): string {
  const name = path.findLast((key) => typeof key !== 'number')
  if (name === undefined) return path.length === 0 ? 'body' : 'entry'
  const words = String(name).replaceAll('_', ' ')
  return typeof path.at(-1) === 'number' ? `entry of ${words}` : words
}

function kindWords(label: string, expected: string): string {
  switch (expected) {
    case 'string':
      return `The ${label} must be text.`
    case 'number':
      return `The ${label} must be a number.`
    case 'int':
      return `The ${label} must be a whole number.`
    case 'boolean':
      return 'Use true or false.'
    case 'array':
      return `The ${label} must be a list.`
    case 'object':
    case 'record':
      return `The ${label} must be an object.`
    default:
      return `The ${label} is not valid.`
  }
}

function tooBig(label: string, { origin, maximum, inclusive }: IssueOf<'too_big'>): string {
  if (origin === 'string') return `The ${label} may not be longer than ${maximum} characters.`
  if (origin === 'array') return `The ${label} may not hold more than ${maximum} entries.`
  if (inclusive === false) return `The ${label} must be less than ${maximum}.`
  return `The ${label} may not be greater than ${maximum}.`
}

function tooSmall(label: string, { origin, minimum, inclusive }: IssueOf<'too_small'>): string {
  if (origin === 'string' && minimum === 1) return `The ${label} field is required.`
  if (origin === 'string') return `The ${label} must have at least ${minimum} characters.`
  if (origin === 'array') return `The ${label} must hold at least ${minimum} entries.`
  if (inclusive === false) return `The ${label} must be greater than ${minimum}.`
  return `The ${label} may not be less than ${minimum}.`
}
