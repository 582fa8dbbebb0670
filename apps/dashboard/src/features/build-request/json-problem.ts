import { JsonProblem, parseExact } from '@gatehouse/contract/mapping'

/** Why a text is not JSON that the server would take, or undefined; blank is no problem. */
export function jsonProblemOf(text: string): JsonProblem | undefined {
  if (text.trim() === '') return undefined
  try {
    parseExact(text)
    return undefined
  } catch (error) {
    if (error instanceof JsonProblem) return error
    throw error
  }
}
