import { AppError, fieldError } from '../../kernel/app-error.ts'
import { InvalidInput } from '../../kernel/validation.ts'

/** Does the work; a refusal of a field is one of this part of the request. */
export async function under<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const fields =
      error instanceof InvalidInput
        ? error.fields
        : error instanceof AppError
          ? error.details.fields
          : undefined
    if (!fields) throw error
    const placed = Object.entries(fields).map(([name, messages]) => [`${field}.${name}`, messages])
    throw fieldError(Object.fromEntries(placed) as Record<string, string[]>)
  }
}
