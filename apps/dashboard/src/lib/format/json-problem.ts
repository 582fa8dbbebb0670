import { JsonProblem, parseExact } from '@gatehouse/contract/mapping'

/** Why a text is not JSON, and where. Line and column count from 1. */
export interface JsonTextProblem {
  message: string
  line: number
  column: number
}

/** Why the server would refuse a text as JSON, or undefined. A blank text is no problem. */
export function jsonProblemOf(text: string): JsonTextProblem | undefined {
  if (text.trim() === '') return undefined
  try {
    parseExact(text)
    return undefined
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    const { message, line, column } = error
    return { message, line, column }
  }
}
