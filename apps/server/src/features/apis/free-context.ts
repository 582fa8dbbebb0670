import { reservedContexts } from '@gatehouse/contract'
import type { ApiStore } from './api-store.ts'

/** The path prefix an API gets when it is registered: a slug of its name that no other API has. */
export async function freeContext(apis: ApiStore, name: string): Promise<string> {
  const base = slug(name)
  for (let suffix = 1; ; suffix++) {
    const context = suffix === 1 ? base : `${base}-${suffix}`
    if (!reservedContexts.includes(context) && !(await apis.findByContext(context))) return context
  }
}

function slug(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
  // Names without a Latin letter or digit have no slug.
  return (
    ascii
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60)
      .replace(/-+$/, '') || 'service'
  )
}
