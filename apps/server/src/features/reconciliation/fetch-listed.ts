import { referenceKey } from '@gatehouse/contract/reference-key'
import type { Caller } from '../../kernel/caller.ts'
import type { ListQuestion, Lists } from '../../kernel/lists.ts'
import type { Listed } from './compare-lists.ts'

export class NotComparable extends Error {
  override name = 'NotComparable'
  readonly state: 'failed' | 'refused'

  constructor(state: 'failed' | 'refused', message: string) {
    super(message)
    this.state = state
  }
}

interface Fetching {
  caller: Caller
  signal: AbortSignal | undefined
  name: string
}

/** A list, or why there is none. */
export async function fetchListed(
  lists: Lists,
  question: ListQuestion,
  fetching: Fetching,
): Promise<Listed[] | string> {
  try {
    return await listOf(lists, question, fetching)
  } catch (error) {
    if (error instanceof NotComparable) return error.message
    throw error
  }
}

export async function listOf(
  lists: Lists,
  question: ListQuestion,
  { caller, signal, name }: Fetching,
): Promise<Listed[]> {
  const fetched = await lists.fetch(question, caller, signal)
  if (!fetched.ok)
    throw new NotComparable(
      fetched.isRefused ? 'refused' : 'failed',
      `The list of the ${name}: ${fetched.message}`,
    )
  const seen = new Set<string>()
  return fetched.elements.map(({ values: { reference, amount = null } }, index) => {
    const refuse = (what: string) =>
      new NotComparable('failed', `The list of the ${name}: element ${index + 1} ${what}.`)
    if (reference === undefined) throw refuse('has no reference')
    const key = referenceKey(reference)
    if (seen.has(key)) throw refuse(`has the reference ${reference}, which another one has too`)
    seen.add(key)
    return { reference, amount }
  })
}
