import { fieldError } from '../../kernel/app-error.ts'
import { hasTwin, twinMessage } from '../../kernel/text/look-alike.ts'
import type { Stores } from '../../stores.ts'

export const nameTaken = () => fieldError({ name: ['This name is already in use.'] })

/** Throws where another API has this name, or one that nobody can tell from it. */
export async function refuseTakenName(
  apis: Pick<Stores['apis'], 'findByName' | 'listNames'>,
  name: string,
  ownId?: number | null,
): Promise<void> {
  const namesake = await apis.findByName(name)
  if (namesake && namesake.id !== ownId) throw nameTaken()
  if (hasTwin(name, await apis.listNames(), ownId ?? undefined))
    throw fieldError({ name: [twinMessage] })
}
