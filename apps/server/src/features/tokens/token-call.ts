import { scopeOf, takesMethod } from '@gatehouse/contract'
import { ClientAddresses } from '@gatehouse/upstream/http'
import { AppError } from '../../kernel/app-error.ts'
import type { TokenCall } from '../../kernel/caller.ts'
import type { Stores } from '../../stores.ts'
import { readLimits } from '../../kernel/stored-limits.ts'

/**
 * Throws a 403 where a token was not made for this call (spec: machine-calls). A workflow that does not exist is
 * refused as one that the token does not name.
 */
export async function refuseBeyondLimits(
  { workflows }: Pick<Stores, 'workflows'>,
  stored: string | null,
  { method, slug, address }: TokenCall,
): Promise<void> {
  if (stored === null) return
  const limits = readLimits(stored)
  const { client_addresses } = limits
  if (client_addresses && !new ClientAddresses(client_addresses).takes(address))
    throw new AppError('token.address')
  if (!takesMethod(limits, method))
    throw new AppError('token.scope', { message: `This token may not be used for ${method}.` })
  const named = scopeOf(limits, 'workflows')
  if (named === null) return
  const workflow = slug === undefined ? undefined : await workflows.findBySlug(slug)
  if (workflow !== undefined && named.has(workflow.id)) return
  throw new AppError('token.scope', { message: 'This token may not be used for this workflow.' })
}
