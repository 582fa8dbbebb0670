import { isExactObject, stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'

/** JSON that was read and written by a thread, as a value of an answer: the answer has its text as it is. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Writes an answer with exact numbers. A `JsonText` may be the value of one of its keys. */
export function stringifyAnswer(answer: ExactJson): string {
  if (!isExactObject(answer)) return stringifyExact(answer)
  const members = Object.entries(answer as Record<string, ExactJson | JsonText>).flatMap(
    ([name, value]) => {
      const text = value instanceof JsonText ? value.text : textOf(value)
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
    },
  )
  return `{${members.join(',')}}`
}

/** A key without a value is left out, as JSON.stringify does. */
const textOf = (value: ExactJson | undefined) =>
  value === undefined ? undefined : stringifyExact(value)
